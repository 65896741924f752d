public import VigilAdherence
public import VigilModel

/// The expected doses of one medication up to a day with their outcomes (specification, adherence.md).
public struct DoseExplanation: Hashable, Sendable {
  public var medication: UUID
  public var day: Day
  /// Doses of the listed days, in the order of their times.
  public var doses: [EvaluatedDose]
  /// Records of the listed days that match no expected dose.
  public var extraDoses: [UnexpectedDose]
  /// One for each period that ends on the day, and the last calendar month.
  public var analytics: [DoseAnalytics]

  /// The days whose doses are listed, the explained one among them.
  private static let listedDays = 7

  /// Evaluates the doses of a person up to a day, medication by medication.
  ///
  /// - Parameters:
  ///   - rows: The rows of one person.
  ///   - day: The explained day.
  ///   - evaluatedAt: The instant as of which doses without a record are missed or pending.
  /// - Returns: One for each medication that counts, by id.
  public static func all(
    of rows: MedicationRows, through day: Day, evaluatedAt: Timestamp
  ) -> [DoseExplanation] {
    var result = AdherenceResult()
    AdherenceEvaluator(zones: rows.zones, keepsDoses: true).evaluate(
      rows.block, over: AdherenceWindow(day: day, evaluatedAt: evaluatedAt), into: &result)
    let schedules = Dictionary(grouping: rows.schedules, by: \.medication)
    return Set(schedules.keys).union(result.analytics.compactMap(\.medication)).sorted().map {
      DoseExplanation(
        of: $0, schedules: Set((schedules[$0] ?? []).map(\.id)),
        listing: (day - (listedDays - 1))...day, from: result)
    }
  }

  /// - Parameter days: The days to list doses of; the last one is explained.
  private init(
    of medication: UUID, schedules: Set<UUID>, listing days: ClosedRange<Day>,
    from result: AdherenceResult
  ) {
    self.medication = medication
    day = days.upperBound
    doses = result.doses.filter { schedules.contains($0.schedule) && days.contains($0.day) }
      .sorted { ($0.day, $0.time.microseconds) < ($1.day, $1.time.microseconds) }
    extraDoses = (result.extraDoses + result.asNeededDoses)
      .filter { $0.medication == medication && days.contains($0.day) }
      .sorted { ($0.day, $0.record.uuidString) < ($1.day, $1.record.uuidString) }
    analytics = result.analytics.filter { $0.medication == medication }
  }
}

extension AdherenceMeasures {
  /// The least number of days that would have to be covered besides for the period to count as adherent (80 %); 0
  /// where it does, nil where no day expects a dose.
  public var daysToAdherent: Int? {
    guard daysExpected > 0 else { return nil }
    return max(0, (daysExpected * 4 + 4) / 5 - daysCovered)
  }
}
