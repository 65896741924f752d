import VigilModel

/// The generator of the package for random tests: one fails with its seed in the message and replays exactly.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var numbers: SplitMix64

  public init(seed: Int) {
    // Scattered, as the numbers of a state are those of a state before, from some place on.
    numbers = SplitMix64(seed: UInt64(bitPattern: Int64(seed) ^ 0x1234_5678).scattered)
  }

  public mutating func next() -> UInt64 { numbers.next() }

  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// One of `choices`, which must not be empty.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }
}
