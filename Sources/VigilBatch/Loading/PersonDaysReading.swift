public import Foundation
public import Logging
public import VigilAnalysis
public import VigilCharts
public import VigilDetection
public import VigilModel
import VigilPipeline
public import VigilStorage
public import VigilVitality

/// Reads the days of persons for charts: observations, the reasons of missing ones, workouts and doses.
///
/// Nothing is written. Observations are those that a run with the same profile judges.
public struct PersonDaysReading {
  private let storage: any Storage
  let days: ClosedRange<Day>
  let evaluatedAt: Timestamp
  private let plan: RunPlan
  let explainers: [DecisionExplainer]
  let zones: ZoneCatalog
  private let logger: Logger

  /// - Parameters:
  ///   - storage: The database.
  ///   - thresholds: The profile whose metrics and plausible ranges count.
  ///   - vitality: The settings of the scores.
  ///   - days: The days to read.
  ///   - evaluatedAt: The instant as of which doses are missed or pending; nil for the end of the last day.
  ///   - findsStandings: Whether metrics under evidence are judged on the last day.
  ///   - zones: The rules of time zones, for doses.
  ///   - logger: Receives lost connections.
  /// - Throws: `StorageError`.
  public init(
    storage: any Storage, thresholds: Thresholds, vitality: VitalitySettings,
    days: ClosedRange<Day>, evaluatedAt: Timestamp? = nil, findsStandings: Bool = false,
    zones: ZoneCatalog, logger: Logger
  ) throws {
    self.storage = storage
    self.days = days
    self.evaluatedAt = evaluatedAt ?? (days.upperBound + 1).midnight
    self.zones = zones
    self.logger = logger
    let scope = RunScope(
      kind: .backfill, days: days, mode: .shadow, parts: [.patterns], thresholds: thresholds,
      vitality: vitality)
    plan = RunPlan(
      scope, availableMetrics: try storage.metricColumns().numeric,
      followsAdherence: try storage.hasMedications())
    explainers =
      findsStandings
      ? plan.own.metrics.filter { $0.evidence != nil }
        .map { DecisionExplainer($0, of: thresholds) } : []
  }

  /// The metrics that are read, that of doses among them where there are medications.
  public var metrics: [MetricThresholds] { plan.own.metrics }

  /// - Throws: `StorageError`; `ZoneFault` where the rules of a time zone cannot be read.
  /// - Complexity: O(persons * days * metrics).
  public func read(_ persons: [UUID]) throws -> [UUID: PersonReading] {
    var result: [UUID: PersonReading] = [:]
    guard !persons.isEmpty else { return result }
    let reader = try SharedReader(storage.makeReader(), of: storage, logger: logger)
    defer { reader.close() }
    let sorted = persons.sorted()
    for first in stride(from: 0, to: sorted.count, by: plan.personsPerBatch) {
      let some = Array(sorted[first..<min(first + plan.personsPerBatch, sorted.count)])
      try read(some, reader, into: &result)
    }
    return result
  }

  private func read(
    _ persons: [UUID], _ reader: SharedReader, into result: inout [UUID: PersonReading]
  ) throws {
    let batch = LoadedBatch(plan, runStartedAt: evaluatedAt, zones: zones)
    let wearable = plan.wearableMetrics
    let wearDays = WearDays(
      personCount: persons.count, days: batch.own.input.block.days, keepsReasons: true)
    batch.own.input.observations.wearDays = wearDays
    let absences = AbsenceRecord(
      personCount: persons.count, metrics: wearable, days: days)
    try reader.read { reader in
      try batch.load(persons, from: reader)
      absences.reset()
      try reader.readMetrics(
        of: persons, days: days, metrics: wearable.map(\.metric),
        reportsWear: false, into: absences)
    }
    let daily = try batch.dailyAdherence(plan, evaluatedAt: evaluatedAt, zones: zones)?.daily
    let doses = doses(of: batch)
    let skipped = days.lowerBound - batch.own.input.block.days.lowerBound
    for (person, id) in persons.enumerated() {
      var series: [MetricType: [SeriesStrip.Reading]] = [:]
      var deviceChanges: [MetricType: [Day]] = [:]
      for (index, metric) in wearable.enumerated() {
        let values = batch.own.input.block.series(person: person, metric: index)
        series[metric.metric] = days.map { day in
          let value = values[skipped + (day - days.lowerBound)]
          return value.isNaN
            ? absences.reason(
              person: person, metric: index, day: day,
              wear: wearDays.finding(person: person, day: day)) : .value(value)
        }
        let changes = batch.own.input.block.deviceChanges(person: person, metric: index).map(
          \.since)
        if !changes.isEmpty { deviceChanges[metric.metric] = changes.filter(days.contains) }
      }
      var taken: [Double?] = []
      if let daily {
        let values = daily.series(person: person, metric: 0)
        let first = days.lowerBound - daily.days.lowerBound
        let percents = days.map { values[first + ($0 - days.lowerBound)] }
        if percents.contains(where: { !$0.isNaN }) {
          taken = percents.map { $0.isNaN ? nil : $0 / 100 }
          if let metric = plan.adherenceMetric?.metric {
            series[metric] = percents.map { $0.isNaN ? .noRow : .value($0) }
          }
        }
      }
      result[id] = PersonReading(
        days: PersonDays(
          days: days, series: series,
          workouts: batch.own.input.block.workoutDays(ofPerson: person).filter(days.contains),
          deviceChanges: deviceChanges, dosesTaken: taken, doses: doses[id] ?? []),
        standings: standings(of: person, in: batch, daily))
    }
  }
}

/// The days of one person.
public struct PersonReading: Sendable {
  public var days: PersonDays
  /// By metric that evidence follows, its place beside what is usual on the last day; empty where standings were
  /// not asked for.
  public var standings: [MetricType: EvidenceStanding]
}

/// Keeps which values a day had, to say why it has no observation.
private final class AbsenceRecord: MetricRowSink {
  private let metrics: [MetricThresholds]
  let days: ClosedRange<Day>
  private var hasValue: [Bool]

  init(personCount: Int, metrics: [MetricThresholds], days: ClosedRange<Day>) {
    self.metrics = metrics
    self.days = days
    hasValue = Array(
      repeating: false,
      count: personCount * (days.upperBound - days.lowerBound + 1) * metrics.count)
  }

  func reset() {
    for index in hasValue.indices { hasValue[index] = false }
  }

  func index(ofSource name: String) -> Int { 0 }

  private func place(person: Int, day: Day) -> Int {
    person * (days.upperBound - days.lowerBound + 1) + (day - days.lowerBound)
  }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    guard days.contains(day) else { return }
    let place = place(person: person, day: day)
    for metric in metrics.indices where !values[metric].isNaN {
      hasValue[place * metrics.count + metric] = true
    }
  }

  func reason(person: Int, metric: Int, day: Day, wear: WearFinding) -> SeriesStrip.Reading {
    switch wear.wear {
    case .noRow: return .noRow
    case .notWorn: return .notWorn
    case .worn, .partWorn: break
    }
    guard hasValue[place(person: person, day: day) * metrics.count + metric] else {
      return .noValue
    }
    return wear.leavesOut(metrics[metric].metric) ? .partWorn : .implausible
  }
}
