/// The random number generator of all simulated and generated data: SplitMix64 (Steele, Lea and Flood, Fast
/// splittable pseudorandom number generators, 2014).
///
/// Its numbers are the same on every platform and in every version.
public struct SplitMix64: Sendable {
  public var state: UInt64

  @inlinable
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= UInt64.splitMixIncrement
    return state.scattered
  }

  /// A number that is at least 0 and below 1.
  @inlinable
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number that is at least 0 and below `bound`.
  @inlinable
  public mutating func integer(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
