import VigilModel

/// A sum over the scores of a person: the same for the same ones, whatever their order, and in every
/// process.
struct ScoreDigest {
  private var sum: UInt64 = 0

  var value: Int { Int(truncatingIfNeeded: sum) }

  /// Adds what there is of one day; a day without any score adds nothing.
  mutating func add(day: Day, total: Int?, sleep: Int?, movement: Int?, stress: Int?) {
    let scores =
      Self.byte(total) << 24 | Self.byte(sleep) << 16 | Self.byte(movement) << 8
      | Self.byte(stress)
    guard scores != 0xffff_ffff else { return }
    add(Self.word(of: day) | scores)
  }

  private static func byte(_ score: Int?) -> UInt64 {
    UInt64(UInt8(truncatingIfNeeded: score ?? 255))
  }

  /// Adds the adherence of one day; NaN, which is none, adds nothing.
  mutating func add(day: Day, adherence: Double) {
    guard adherence == adherence else { return }
    add(Self.mixed(Self.word(of: day)) ^ adherence.bitPattern)
  }

  private mutating func add(_ word: UInt64) { sum &+= Self.mixed(word) }

  private static func word(of day: Day) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: day.ordinal)) << 32
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    (word &+ UInt64.splitMixIncrement).scattered
  }
}
