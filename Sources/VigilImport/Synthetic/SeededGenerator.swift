import VigilModel

/// A small random number generator whose numbers are the same on every platform and in every
/// version: SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
///
/// Only exact operations: integers, and additions and multiplications of doubles.
struct SeededGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// An independent stream for a person and a purpose.
  init(seed: UInt64, person: Int, stream: UInt64) {
    var mixer = SeededGenerator(seed: seed)
    for word in [UInt64(person) &* 0xD6E8_FEB8_6659_FD93, stream &* 0xA3B1_9535_4A39_B70D] {
      let mixed = mixer.next() &+ word
      mixer.state ^= mixed
    }
    state = mixer.next()
  }

  mutating func next() -> UInt64 {
    state &+= UInt64.splitMixIncrement
    return state.scattered
  }

  /// At least 0 and below 1.
  mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    let width = UInt64(range.upperBound - range.lowerBound + 1)
    return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
  }

  mutating func chance(_ probability: Double) -> Bool {
    uniform() < probability
  }

  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }

  /// About normal with mean 0 and standard deviation 1, and never beyond 3.5: the sum of four uniform
  /// numbers, which needs no function that platforms compute differently.
  mutating func normal() -> Double {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
    return (Double(sum) - 131_070) * (1 / 37_837.2)
  }
}
