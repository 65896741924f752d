/// The doses of a period that a person took, of one medication or of all of theirs (specification,
/// adherence.md section 3).
///
/// ```swift
/// var measures = AdherenceMeasures()
/// measures.takenDoses = 6
/// measures.missedDoses = 2
/// measures.onTimeDoses = 4
/// print(measures.takingAdherence ?? 0, measures.timingAdherence ?? 0)  // 0.75 0.5
/// ```
public struct AdherenceMeasures: Hashable, Sendable {
  public var takenDoses = 0
  public var skippedDoses = 0
  public var missedDoses = 0
  public var plannedSkips = 0
  public var pendingDoses = 0
  /// Taken doses by timing; together they are `takenDoses`.
  public var onTimeDoses = 0
  public var lateDoses = 0
  public var earlyDoses = 0
  /// Taken doses that were not expected.
  public var extraDoses = 0
  public var asNeededDoses = 0
  /// As-needed doses beyond the day's maximum or too soon.
  public var asNeededOveruse = 0
  /// Days on which doses were expected.
  public var daysExpected = 0
  /// Days on which exactly the expected doses were taken.
  public var daysExact = 0
  /// Days on which at least the expected doses were taken.
  public var daysCovered = 0
  /// In days with doses expected.
  public var longestGapDays = 0
  /// The gap that is open at the end of the period.
  public var currentGapDays = 0
  /// Gaps of three days or more.
  public var drugHolidays = 0
  /// Expected doses missed in a row at the end of the period; for a person, the longest such row.
  public var missedStreak = 0

  public init() {}

  init(_ counts: DayRows.Counts, gaps: Gaps, missedStreak: Int) {
    func count(_ lane: DayRows.Lane) -> Int { Int(counts[lane.rawValue]) }
    takenDoses = count(.taken)
    skippedDoses = count(.skipped)
    missedDoses = count(.missed)
    plannedSkips = count(.plannedSkip)
    pendingDoses = count(.pending)
    onTimeDoses = count(.onTime)
    lateDoses = count(.late)
    earlyDoses = count(.early)
    extraDoses = count(.extra)
    asNeededDoses = count(.asNeeded)
    asNeededOveruse = count(.overuse)
    daysExpected = count(.daysExpected)
    daysExact = count(.daysExact)
    daysCovered = count(.daysCovered)
    longestGapDays = gaps.longest
    currentGapDays = gaps.current
    drugHolidays = gaps.drugHolidays
    self.missedStreak = missedStreak
  }

  /// Doses that were taken, skipped or missed.
  public var expectedDoses: Int { takenDoses + skippedDoses + missedDoses }

  /// Taken of expected doses, from 0 to 1; nil where nothing is expected, as for all rates.
  public var takingAdherence: Double? { Self.rate(takenDoses, of: expectedDoses) }

  /// Days with exactly the expected doses of days with doses expected.
  public var dosingAdherence: Double? { Self.rate(daysExact, of: daysExpected) }

  /// Doses taken on time of expected doses.
  public var timingAdherence: Double? { Self.rate(onTimeDoses, of: expectedDoses) }

  /// Proportion of days covered.
  public var pdc: Double? { Self.rate(daysCovered, of: daysExpected) }

  /// Whether the proportion of days covered is 0.80 or more; nil where nothing is expected.
  public var isAdherent: Bool? { daysExpected == 0 ? nil : daysCovered * 5 >= daysExpected * 4 }

  private static func rate(_ count: Int, of total: Int) -> Double? {
    total == 0 ? nil : Double(count) / Double(total)
  }
}
