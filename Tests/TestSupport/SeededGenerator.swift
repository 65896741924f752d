import VigilModel

/// SplitMix64: a random test fails with its seed in the message and replays exactly.
///
/// The numbers of a seed are those of the seed before without the first, so that what one finds, its neighbours often
/// find, too.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: Int) {
    state = UInt64(bitPattern: Int64(seed)) &* UInt64.splitMixIncrement &+ 0x1234_5678_9abc_def1
  }

  public mutating func next() -> UInt64 {
    state &+= UInt64.splitMixIncrement
    return state.scattered
  }

  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// One of `choices`, which must not be empty.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }
}
