import VigilModel

/// Draws for synthetic data, besides the days of metrics, which `SyntheticPopulation` draws.
///
/// Only exact operations: integers, and additions and multiplications of doubles.
extension SplitMix64 {
  /// An independent stream for a person and a purpose.
  init(seed: UInt64, person: Int, stream: UInt64) {
    var mixer = SplitMix64(seed: seed)
    for word in [UInt64(person) &* 0xD6E8_FEB8_6659_FD93, stream &* 0xA3B1_9535_4A39_B70D] {
      let mixed = mixer.next() &+ word
      mixer.state ^= mixed
    }
    self.init(seed: mixer.next())
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + integer(below: range.upperBound - range.lowerBound + 1)
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
