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

  /// The finalizer of SplitMix64: close words come out far apart.
  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = word &+ 0x9e37_79b9_7f4a_7c15
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
