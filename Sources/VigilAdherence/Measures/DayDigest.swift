import VigilModel

/// A number for the outcomes of a medication's doses on a day: another medication, day or outcome
/// gives another number, and the sum over some days shows whether an outcome on any of them has
/// changed.
///
/// The same in every process, because it is stored.
struct DayDigest {
  private let seed: StableHash

  init(_ medication: UUID) {
    let (first, second) = medication.words
    var hash = StableHash()
    hash.combine(first, by: second ^ 0xE703_7ED1_A0B4_28DB)
    seed = hash
  }

  /// - Parameter day: Its ordinal.
  @inline(__always)
  func digest(of counts: DayRows.Counts, day: Int32) -> UInt64 {
    let words = unsafeBitCast(counts, to: SIMD8<UInt64>.self)
    var hash = seed
    hash.combine(UInt64(UInt32(bitPattern: day)))
    for index in words.indices { hash.combine(words[index], by: 0xD1B5_4A32_D192_ED03) }
    return hash.value
  }

  /// The digest of some days, from their counts.
  static func sum(_ counts: DayRows.Counts) -> Int {
    let low = UInt32(bitPattern: counts[DayRows.Lane.order.rawValue])
    let high = UInt32(bitPattern: counts[DayRows.Lane.digest.rawValue])
    return Int(truncatingIfNeeded: UInt64(high) << 32 | UInt64(low))
  }

  /// Returns the order of a day's outcomes with another outcome added.
  static func appending(_ outcome: DoseOutcome, to order: Int32) -> Int32 {
    (order &+ Int32(outcome.rawValue) &+ 1) &* 0x0100_0193
  }
}
