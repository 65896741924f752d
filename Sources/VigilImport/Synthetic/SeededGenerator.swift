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
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
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
