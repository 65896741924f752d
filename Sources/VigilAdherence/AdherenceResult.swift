public import VigilModel

/// The adherence of a block's persons over a window.
public struct AdherenceResult: Sendable {
  /// Persons in the order of the block: the rows of each medication, then those of the person; one
  /// row for each period, in the order of the window.
  public internal(set) var analytics: [DoseAnalytics] = []
  public internal(set) var missedStreaks: [MissedStreak] = []
  /// One for each active medication with a count of its units.
  public internal(set) var supplies: [SupplyForecast] = []
  /// One for each medication of which a new package is due.
  public internal(set) var expiries: [MedicationExpiry] = []
  /// Taking adherence of all medications, from 0 to 100: `persons x days`, the days of a person one
  /// after the other; NaN where nothing is expected.
  public internal(set) var dailyAdherence: [Double] = []
  /// By limit of rare doses, the doses of each day: `persons x days`, as in `dailyAdherence`.
  var doseCounts: [Int: [DoseCounts]] = [:]
  /// By limit of rare doses, the medications whose schedules expect doses: those of a person one after the other.
  var medicationDays: [Int: [MedicationDays]] = [:]
  /// The days of `dailyAdherence`.
  public internal(set) var days: ClosedRange<Day>?

  // Filled only where the evaluator keeps doses.
  /// Expected doses of the window; those of a medication one after the other, in order of time.
  public internal(set) var doses: [EvaluatedDose] = []
  /// Taken doses of the window that were not expected.
  public internal(set) var extraDoses: [UnexpectedDose] = []
  /// Doses of the window that were taken as needed, in order of time.
  public internal(set) var asNeededDoses: [UnexpectedDose] = []

  public init() {}

  /// The days of one person in `dailyAdherence`.
  public func dailyAdherence(person: Int) -> ArraySlice<Double> {
    guard let days else { return [] }
    let count = days.upperBound - days.lowerBound + 1
    return dailyAdherence[person * count..<(person + 1) * count]
  }

  /// The doses of one person, day by day, without those that are rare by a limit that the evaluator was made for.
  public func doses(person: Int, rareDays: Int) -> ArraySlice<DoseCounts> {
    guard let days, let all = doseCounts[rareDays] else { return [] }
    let count = days.upperBound - days.lowerBound + 1
    return all[person * count..<(person + 1) * count]
  }

  /// The medications by themselves, with the doses that are rare by a limit that the evaluator was made for apart;
  /// none where the evaluator does not keep them.
  public func medications(rareDays: Int) -> MedicationDoseBlock? {
    days.map { MedicationDoseBlock(days: $0, medications: medicationDays[rareDays] ?? []) }
  }

  mutating func removeAll() {
    analytics.removeAll(keepingCapacity: true)
    missedStreaks.removeAll(keepingCapacity: true)
    supplies.removeAll(keepingCapacity: true)
    expiries.removeAll(keepingCapacity: true)
    dailyAdherence.removeAll(keepingCapacity: true)
    for limit in doseCounts.keys { doseCounts[limit]?.removeAll(keepingCapacity: true) }
    medicationDays.removeAll(keepingCapacity: true)
    doses.removeAll(keepingCapacity: true)
    extraDoses.removeAll(keepingCapacity: true)
    asNeededDoses.removeAll(keepingCapacity: true)
  }
}

/// An expected dose and its outcome.
public struct EvaluatedDose: Hashable, Sendable {
  public var schedule: UUID
  /// When it was due.
  public var time: Timestamp
  /// The day it belongs to.
  public var day: Day
  public var outcome: DoseOutcome
  /// The timing of a taken dose; nil for other outcomes.
  public var timing: DoseTiming?
  /// The row of `dose_history` with its outcome; a missed dose without a row is inferred.
  public var record: UUID?

  public init(
    schedule: UUID, time: Timestamp, day: Day, outcome: DoseOutcome, timing: DoseTiming?,
    record: UUID?
  ) {
    self.schedule = schedule
    self.time = time
    self.day = day
    self.outcome = outcome
    self.timing = timing
    self.record = record
  }
}

/// A taken dose that no schedule expects at its time.
public struct UnexpectedDose: Hashable, Sendable {
  public var medication: UUID
  /// The row of `dose_history`.
  public var record: UUID
  /// The local date on which it was taken.
  public var day: Day
  /// Whether it was taken too soon or exceeds the day's maximum; never for an extra dose.
  public var isOveruse: Bool

  public init(medication: UUID, record: UUID, day: Day, isOveruse: Bool) {
    self.medication = medication
    self.record = record
    self.day = day
    self.isOveruse = isOveruse
  }
}
