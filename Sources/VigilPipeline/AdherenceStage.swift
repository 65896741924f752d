public import VigilAdherence
public import VigilDetection
public import VigilModel

/// The first stage: expands the schedules of a block of persons and measures adherence.
///
/// Keeps its working memory from block to block; one thread uses one instance.
public final class AdherenceStage {
  private let window: AdherenceWindow
  private let evaluator: AdherenceEvaluator
  private let daily: ObservationBlock
  /// By limit of rare doses.
  private let doses: [Int: DoseBlock]
  private var result = AdherenceResult()

  /// - Parameters:
  ///   - window: The periods to measure, with at least the loaded days.
  ///   - loadedDays: The days of daily adherence.
  ///   - rareDays: For each profile that weighs missed doses, when they are rare.
  ///   - followsMedications: Whether such a profile follows medications by themselves.
  ///   - zones: The zones of the rows.
  public init(
    _ window: AdherenceWindow, loadedDays: ClosedRange<Day>, rareDays: Set<Int>,
    followsMedications: Bool, zones: ZoneCatalog
  ) {
    self.window = window
    evaluator = AdherenceEvaluator(
      zones: zones, rareDays: rareDays, keepsMedications: followsMedications)
    daily = ObservationBlock(personCount: 0, metricCount: 1, days: loadedDays)
    doses = Dictionary(
      uniqueKeysWithValues: rareDays.map { ($0, DoseBlock(personCount: 0, days: loadedDays)) })
  }

  /// - Parameters:
  ///   - rows: The rows of the persons of a block, with the versions of their schedules.
  ///   - personCount: The number of these persons.
  public func evaluate(_ rows: MedicationRows, personCount: Int) -> AdherenceFindings {
    daily.reset(personCount: personCount, days: daily.days)
    for block in doses.values { block.reset(personCount: personCount, days: block.days) }
    guard rows.block.medicationCount > 0 else {
      return AdherenceFindings(daily: daily, doses: doses)
    }
    evaluator.evaluate(rows.block, over: window, into: &result)
    let first = daily.days.lowerBound - window.days.lowerBound
    for person in 0..<daily.personCount {
      let values = result.dailyAdherence(person: person).dropFirst(first)
      let series = daily.series(person: person, metric: 0)
      for (day, value) in zip(series.indices, values) { series[day] = value }
      for (limit, block) in doses {
        let counts = result.doses(person: person, rareDays: limit).dropFirst(first)
        let target = block.days(ofPerson: person)
        for (day, count) in zip(target.indices, counts) { target[day] = count }
      }
    }
    var found = AdherenceFindings(daily: daily, doses: doses)
    for limit in doses.keys { found.medications[limit] = result.medications(rareDays: limit) }
    found.analytics = result.analytics
    found.missedStreaks = result.missedStreaks
    found.supplies = result.supplies
    found.expiries = result.expiries
    return found
  }
}

/// The measures of the doses of a block.
public struct AdherenceFindings {
  /// The daily taking adherence of each person, 0...100, on the loaded days; NaN where nothing is expected.
  ///
  /// Belongs to the stage, which fills it anew with its next block.
  public let daily: ObservationBlock
  /// By limit of rare doses, the doses of each person, as `daily`.
  public let doses: [Int: DoseBlock]
  /// By limit of rare doses, the medications by themselves, on days that include the loaded ones.
  public var medications: [Int: MedicationDoseBlock] = [:]
  /// One row for each period, of each medication and of each person.
  public var analytics: [DoseAnalytics] = []
  public var missedStreaks: [MissedStreak] = []
  public var supplies: [SupplyForecast] = []
  public var expiries: [MedicationExpiry] = []

  /// - Parameters:
  ///   - daily: The daily taking adherence of each person.
  ///   - doses: By limit of rare doses, the doses of each person, on the days of `daily`.
  public init(daily: ObservationBlock, doses: [Int: DoseBlock]) {
    self.daily = daily
    self.doses = doses
  }

  /// The doses of each person by the rules of a metric; nil where those do not weigh them.
  public func doses(for metric: MetricThresholds?) -> DoseBlock? {
    metric?.doses.flatMap { doses[$0.rareDays] }
  }

  /// The medications by themselves, by the rules of a metric; none where those do not weigh doses.
  public func medications(for metric: MetricThresholds?) -> MedicationDoseBlock {
    metric?.doses.flatMap { medications[$0.rareDays] } ?? MedicationDoseBlock(days: daily.days)
  }

  /// By person: the row of a period over all medications.
  public func totals(of period: AdherencePeriod) -> [UUID: DoseAnalytics] {
    let totals = analytics.filter { $0.medication == nil && $0.period == period }
    return Dictionary(totals.map { ($0.user, $0) }) { $1 }
  }
}
