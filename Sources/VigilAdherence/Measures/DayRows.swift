import VigilKernels
import VigilModel

/// The days of one medication or person, each a row of 16 counts that fills a cache line.
///
/// Rows become running sums, so that one subtraction gives the counts of any period.
struct DayRows: ~Copyable {
  typealias Counts = SIMD16<Int32>

  /// The counts of a day, in order; the outcomes first, as `DoseOutcome` numbers them.
  enum Lane: Int {
    case taken, skipped, missed, plannedSkip, pending
    case onTime, late, early
    case extra, asNeeded, overuse
    case daysExpected, daysExact, daysCovered
    /// The order of the day's outcomes, until `finishMedication` replaces both lanes with the
    /// digest.
    case order, digest
  }

  static let laneCount = 16

  /// The meaning of a day for a gap.
  enum Mark: UInt8 {
    /// The day neither belongs to a gap nor ends one.
    case other
    /// Doses were expected, none is pending and none was taken.
    case gap
    /// A dose was taken, even an extra one. An as-needed dose neither ends nor prevents a gap.
    case taken
  }

  let dayCount: Int
  /// Row `d + 1` belongs to day `d`; row 0 stays empty for the running sums.
  private let rows: AlignedBuffer<Int32>
  private let markBytes: AlignedBuffer<UInt8>

  init(dayCount: Int) {
    self.dayCount = dayCount
    rows = AlignedBuffer(count: (dayCount + 1) * Self.laneCount)
    markBytes = AlignedBuffer(count: dayCount)
  }

  func removeAll() {
    rows.pointer.update(repeating: 0, count: rows.count)
  }

  /// The counts of a day, before `sum`.
  @inline(__always)
  func lanes(day: Int) -> UnsafeMutablePointer<Int32> {
    rows.pointer + (day + 1) * Self.laneCount
  }

  @inline(__always)
  private func counts(row: Int) -> Counts {
    UnsafeRawPointer(rows.pointer + row * Self.laneCount).load(as: Counts.self)
  }

  @inline(__always)
  private func set(_ counts: Counts, row: Int) {
    UnsafeMutableRawPointer(rows.pointer + row * Self.laneCount)
      .storeBytes(of: counts, as: Counts.self)
  }

  /// Marks each day of a medication, and adds it to the same day of `person`.
  ///
  /// - Parameter firstDay: The ordinal of day 0.
  func finishMedication(
    _ medication: UUID, firstDay: Int32, addingTo person: borrowing DayRows
  ) {
    let seed = DayDigest(medication)
    for day in 0..<dayCount {
      let lanes = lanes(day: day)
      let taken = lanes[Lane.taken.rawValue]
      let expected = taken + lanes[Lane.skipped.rawValue] + lanes[Lane.missed.rawValue]
      if expected > 0 {
        let isCovered = taken == expected
        lanes[Lane.daysExpected.rawValue] = 1
        lanes[Lane.daysCovered.rawValue] = isCovered ? 1 : 0
        lanes[Lane.daysExact.rawValue] = isCovered && lanes[Lane.extra.rawValue] == 0 ? 1 : 0
      }
      mark(day, expected: expected)
      let own = counts(row: day + 1)
      if own != .zero {
        let digest = seed.digest(of: own, day: firstDay + Int32(truncatingIfNeeded: day))
        lanes[Lane.order.rawValue] = Int32(truncatingIfNeeded: digest)
        lanes[Lane.digest.rawValue] = Int32(truncatingIfNeeded: digest >> 32)
      }
      person.set(person.counts(row: day + 1) &+ counts(row: day + 1), row: day + 1)
    }
  }

  /// Marks each day of a person, from the sums of their medications.
  func finishPerson() {
    for day in 0..<dayCount {
      let lanes = lanes(day: day)
      let expected =
        lanes[Lane.taken.rawValue] + lanes[Lane.skipped.rawValue] + lanes[Lane.missed.rawValue]
      // So far these count medications; a day counts if it does for each one expected on it.
      let medications = lanes[Lane.daysExpected.rawValue]
      if medications > 0 {
        for lane in [Lane.daysExact.rawValue, Lane.daysCovered.rawValue] {
          lanes[lane] = lanes[lane] == medications ? 1 : 0
        }
        lanes[Lane.daysExpected.rawValue] = 1
      }
      mark(day, expected: expected)
    }
  }

  @inline(__always)
  private func mark(_ day: Int, expected: Int32) {
    let lanes = lanes(day: day)
    let taken = lanes[Lane.taken.rawValue] | lanes[Lane.extra.rawValue]
    let isGap = expected > 0 && lanes[Lane.pending.rawValue] == 0
    markBytes.pointer[day] = (taken != 0 ? Mark.taken : isGap ? .gap : .other).rawValue
  }

  /// Turns the rows into running sums.
  func sum() {
    var total = Counts.zero
    for row in 1...dayCount {
      total &+= counts(row: row)
      set(total, row: row)
    }
  }

  /// The counts of some days, after `sum`.
  func counts(of days: Range<Int>) -> Counts {
    counts(row: days.upperBound) &- counts(row: days.lowerBound)
  }

  var marks: UnsafePointer<UInt8> { UnsafePointer(markBytes.pointer) }
}
