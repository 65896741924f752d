public import Foundation
public import VigilAdherence
public import VigilModel
public import VigilStorage

/// A reader in front of another one: whatever it does not do itself, `base` does.
public protocol ForwardingReader: StorageReader {
  var base: any StorageReader { get }

  /// Carries out a call of `base`, or fails in its place.
  func call<Result>(_ body: () throws -> Result) throws -> Result
}

extension ForwardingReader {
  public func call<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  public func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try call {
      try base.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, into: sink)
    }
  }

  public func readMetrics(
    of persons: [UUID], from firstDays: [Day], through last: Day, metrics: [MetricType],
    reportsWear: Bool, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try call {
      try base.readMetrics(
        of: persons, from: firstDays, through: last, metrics: metrics, reportsWear: reportsWear,
        into: sink)
    }
  }

  public func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
    try base.atOneMoment(body)
  }

  public func metricLayout() throws -> MetricLayout { try call { try base.metricLayout() } }

  public func historyState(of subject: HistorySubject) throws -> HistoryState {
    try call { try base.historyState(of: subject) }
  }

  public func historyBlocks(
    of owners: [UUID], _ subject: HistorySubject, layout: Int, since first: Day
  ) throws -> [UUID: [HistoryBlock]] {
    try call { try base.historyBlocks(of: owners, subject, layout: layout, since: first) }
  }

  public func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void
  ) throws -> UnusableRows {
    try call { try base.readWorkoutDays(of: persons, days: days, body: body) }
  }

  public func readMedications(
    of persons: [UUID], into sink: some MedicationRowSink
  ) throws -> [UUID] {
    try call { try base.readMedications(of: persons, into: sink) }
  }

  public func readDoses(
    of medications: [UUID], from firsts: [Timestamp], through last: Timestamp,
    into sink: inout some DoseRowSink
  ) throws {
    try call {
      try base.readDoses(of: medications, from: firsts, through: last, into: &sink)
    }
  }

  public func readScores(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ row: VitalityScore) -> Void
  ) throws -> UnusableRows {
    try call { try base.readScores(of: persons, days: days, body: body) }
  }

  public func alertStates(
    of persons: [UUID], in profile: Profile, touchedSince day: Day
  ) throws -> [PatternAlertState] {
    try call { try base.alertStates(of: persons, in: profile, touchedSince: day) }
  }

  public func alertStates(withIDs ids: [UUID]) throws -> [PatternAlertState] {
    try call { try base.alertStates(withIDs: ids) }
  }

  public func alertStatesOfMedications(
    of persons: [UUID], touchedSince day: Day
  ) throws -> [PatternAlertState] {
    try call { try base.alertStatesOfMedications(of: persons, touchedSince: day) }
  }

  public func readAlerts(among ids: [UUID]) throws -> Set<UUID> {
    try call { try base.readAlerts(among: ids) }
  }

  public func provisionalAlerts(of persons: [UUID]) throws -> [ProvisionalAlert] {
    try call { try base.provisionalAlerts(of: persons) }
  }

  public func doseTotals(
    of persons: [UUID], period: AdherencePeriod.Kind, endingOn days: ClosedRange<Day>
  ) throws -> [DoseAnalytics] {
    try call { try base.doseTotals(of: persons, period: period, endingOn: days) }
  }

  public func checkIns(
    of persons: [UUID], at times: ClosedRange<Timestamp>
  ) throws -> (checkIns: [CheckIns], unusable: UnusableRows) {
    try call { try base.checkIns(of: persons, at: times) }
  }

  public func sensitivities(
    of persons: [UUID]
  ) throws -> (personal: [UUID: PersonalSensitivity], unusable: UnusableRows) {
    try call { try base.sensitivities(of: persons) }
  }

  public func limits(
    of persons: [UUID]
  ) throws -> (personal: [UUID: [PersonLimit]], unusable: UnusableRows) {
    try call { try base.limits(of: persons) }
  }

  public func birthDates(of persons: [UUID]) throws -> [Day?] {
    try call { try base.birthDates(of: persons) }
  }

  public func trendCoverages(of persons: [UUID]) throws -> [UUID: TrendCoverage] {
    try call { try base.trendCoverages(of: persons) }
  }

  public func inputFingerprint(
    of persons: [UUID], days: ClosedRange<Day>
  ) throws -> InputFingerprint {
    try call { try base.inputFingerprint(of: persons, days: days) }
  }

  public func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]] {
    try call { try base.familyMembers(of: persons) }
  }

  public func exclusions(of persons: [UUID]) throws -> [UUID: Set<UUID>] {
    try call { try base.exclusions(of: persons) }
  }

  public func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try call { try base.profiles(of: users) }
  }
}
