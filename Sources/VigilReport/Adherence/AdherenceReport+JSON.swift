import VigilAdherence
import VigilModel
import VigilStorage

extension AdherenceReport {
  private struct Document: Encodable {
    var period: String
    var definitions: [Definition]
    var rows: [Row]
  }

  /// Names are those of the columns of `dose_analytics`; rates are fractions.
  private struct Row: Encodable {
    var userId: String
    var externalId: OrNull<String>
    /// Null in the row of all of a person's medications.
    var medicationId: OrNull<String>
    var periodStart: Day
    var periodEnd: Day
    var evaluatedAt: Timestamp
    var totalDoses: Int
    var takenDoses: Int
    var skippedDoses: Int
    var missedDoses: Int
    var plannedSkips: Int
    var pendingDoses: Int
    var onTimeDoses: Int
    var lateDoses: Int
    var earlyDoses: Int
    var extraDoses: Int
    var asNeededDoses: Int
    var asNeededOveruse: Int
    var daysExpected: Int
    var daysExact: Int
    var daysCovered: Int
    var longestGapDays: Int
    var currentGapDays: Int
    var drugHolidays: Int
    var missedStreak: Int
    var adherenceRate: OrNull<Double>
    var dosingAdherence: OrNull<Double>
    var timingAdherence: OrNull<Double>
    var pdc: OrNull<Double>
    var adherent: OrNull<Bool>

    init(_ row: StoredDoseAnalytics, externalID: String?) {
      let (analytics, measures) = (row.analytics, row.analytics.measures)
      userId = analytics.user.lowercased
      externalId = OrNull(externalID)
      medicationId = OrNull(analytics.medication?.lowercased)
      periodStart = analytics.period.days.lowerBound
      periodEnd = analytics.period.days.upperBound
      evaluatedAt = row.evaluatedAt
      totalDoses = measures.expectedDoses
      takenDoses = measures.takenDoses
      skippedDoses = measures.skippedDoses
      missedDoses = measures.missedDoses
      plannedSkips = measures.plannedSkips
      pendingDoses = measures.pendingDoses
      onTimeDoses = measures.onTimeDoses
      lateDoses = measures.lateDoses
      earlyDoses = measures.earlyDoses
      extraDoses = measures.extraDoses
      asNeededDoses = measures.asNeededDoses
      asNeededOveruse = measures.asNeededOveruse
      daysExpected = measures.daysExpected
      daysExact = measures.daysExact
      daysCovered = measures.daysCovered
      longestGapDays = measures.longestGapDays
      currentGapDays = measures.currentGapDays
      drugHolidays = measures.drugHolidays
      missedStreak = measures.missedStreak
      adherenceRate = OrNull(measures.takingAdherence)
      dosingAdherence = OrNull(measures.dosingAdherence)
      timingAdherence = OrNull(measures.timingAdherence)
      pdc = OrNull(measures.pdc)
      adherent = OrNull(measures.isAdherent)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      period: period.rawValue, definitions: Self.definitions,
      rows: rows.map { Row($0, externalID: externalIDs[$0.analytics.user]) }
    ).encode(to: encoder)
  }
}
