import VigilAdherence
import VigilModel
import VigilZones

/// Measures the doses of blocks of persons as a backfill over the same days does that begins with an empty database.
///
/// Keeps its working memory from block to block.
final class MedicationAnalysis {
  private let window: AdherenceWindow
  private let evaluatedAt: Timestamp
  private let evaluator: AdherenceEvaluator
  private let rows: MedicationRows
  private let daily: ObservationBlock
  private let rareDays: Int?
  private let doses: DoseBlock
  private var result = AdherenceResult()

  /// - Parameters:
  ///   - days: The evaluated days.
  ///   - dailyDays: The days of daily adherence.
  ///   - evaluatedAt: The instant as of which doses are pending or missed.
  ///   - zones: The rules of time zones.
  ///   - rareDays: When doses are rare, where the detector weighs missed doses.
  ///   - measuresPeriods: Whether measures of periods and missed doses in a row are wanted, besides daily adherence.
  init(
    over days: ClosedRange<Day>, daily dailyDays: ClosedRange<Day>, evaluatedAt: Timestamp,
    zones: ZoneCatalog, rareDays: Int?, measuresPeriods: Bool
  ) {
    window =
      measuresPeriods
      ? AdherenceWindow(evaluating: days, evaluatedAt: evaluatedAt, daily: dailyDays)
      : AdherenceWindow(
        day: days.upperBound, evaluatedAt: evaluatedAt, periods: [], daily: dailyDays)
    self.evaluatedAt = evaluatedAt
    evaluator = AdherenceEvaluator(zones: zones, rareDays: Set([rareDays].compactMap(\.self)))
    self.rareDays = rareDays
    doses = DoseBlock(personCount: 0, days: dailyDays)
    rows = MedicationRows(zones: zones)
    daily = ObservationBlock(personCount: 0, metricCount: 1, days: dailyDays)
  }

  /// - Parameters:
  ///   - persons: The persons of a block.
  ///   - staged: Rows of these persons and others.
  func evaluate(
    _ persons: [PersonRows], of staged: inout StagedMedications
  ) -> DoseFindings {
    // Two names may stand for one person, whose doses are those of the first.
    var seen: Set<UUID> = []
    let places = persons.indices.filter { seen.insert(persons[$0].id).inserted }
    fill(places.map { persons[$0].id }, of: &staged)
    evaluator.evaluate(rows.block, over: window, into: &result)
    daily.reset(personCount: persons.count, days: daily.days)
    doses.reset(personCount: persons.count, days: daily.days)
    let skipped = daily.days.lowerBound - window.days.lowerBound
    for (person, place) in places.enumerated() {
      let values = result.dailyAdherence(person: person).dropFirst(skipped)
      let series = daily.series(person: place, metric: 0)
      for (day, value) in zip(series.indices, values) { series[day] = value }
      guard let rareDays else { continue }
      let counts = result.doses(person: person, rareDays: rareDays).dropFirst(skipped)
      let target = doses.days(ofPerson: place)
      for (day, count) in zip(target.indices, counts) { target[day] = count }
    }
    let firstDays = rows.block.firstDays
    return DoseFindings(
      daily: daily, doses: rareDays == nil ? nil : doses, rows: rows, places: places,
      analytics: result.analytics.filter { row in
        // A period before anything began says nothing.
        firstDays[row.medication ?? row.user].map { $0 <= row.period.days.upperBound } ?? false
      }, missedStreaks: result.missedStreaks)
  }

  private func fill(_ persons: [UUID], of staged: inout StagedMedications) {
    let index = staged.indexed()
    rows.begin(persons, evaluatedAt: evaluatedAt)
    let found = persons.compactMap { index[$0] }
    for own in found { for row in own.medications { rows.add(staged.medications[row]) } }
    for own in found { for row in own.schedules { rows.add(staged.schedules[row]) } }
    for own in found { for row in own.events { rows.add(staged.events[row]) } }
    for own in found { for row in own.adjustments { rows.add(staged.adjustments[row]) } }
    rows.addDoses { intake in
      for own in found { staged.doses.add(own.doses, to: &intake) }
    }
  }
}

/// The measures of the doses of a block of persons, until the next block is evaluated.
struct DoseFindings {
  /// The daily taking adherence of each person, 0...100; NaN where nothing is expected.
  let daily: ObservationBlock
  /// The doses of each person; nil where the detector does not weigh them.
  let doses: DoseBlock?
  /// The rows that could be used, and those that could not.
  let rows: MedicationRows
  /// By person of these rows, the place in the block.
  let places: [Int]
  /// One row for each period, of each medication and of each person.
  let analytics: [DoseAnalytics]
  let missedStreaks: [MissedStreak]
}
