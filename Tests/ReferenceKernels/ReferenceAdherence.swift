public import Foundation
public import VigilModel

/// The rows of one person.
public struct AdherenceRows: Sendable {
  public var user: UUID
  public var medications: [Medication] = []
  public var schedules: [Schedule] = []
  public var versions: [ScheduleVersion] = []
  public var events: [TimezoneEvent] = []
  public var adjustments: [ScheduleAdjustment] = []
  public var records: [DoseRecord] = []

  public init(user: UUID) {
    self.user = user
  }
}

/// Slow twin of the adherence of one person: the specification sentence by sentence, over lists of
/// all doses and all records.
public struct ReferenceAdherence {
  public struct Dose: Hashable, Sendable {
    public var medication: UUID
    public var schedule: UUID
    public var second: Int
    public var day: Day
    public var flexibility: Int
    public var outcome = "pending"
    public var timing: String?
    public var record: UUID?
  }

  public struct Unexpected: Hashable, Sendable {
    public var medication: UUID
    public var record: UUID
    public var day: Day
    public var isOveruse = false
  }

  public private(set) var doses: [Dose] = []
  public private(set) var extras: [Unexpected] = []
  public private(set) var asNeeded: [Unexpected] = []

  let rows: AdherenceRows
  private(set) var dosesByDay: [Day: [Dose]] = [:]
  let zones: [ZoneID: ReferenceZone]

  /// - Parameters:
  ///   - days: All days whose doses may matter, with room around those that are looked at.
  ///   - evaluatedAt: In seconds.
  public init(
    _ rows: AdherenceRows, days: ClosedRange<Day>, evaluatedAt: Int, zones: [ZoneID: ReferenceZone]
  ) {
    self.rows = rows
    self.zones = zones
    for medication in rows.medications where counts(medication) {
      var expected = expectedDoses(medication, days: days)
      match(medication, &expected)
      for index in expected.indices where expected[index].record == nil {
        let dose = expected[index]
        let isOver = dose.second + dose.flexibility + 4 * 3600 <= evaluatedAt
        expected[index].outcome = isOver ? "missed" : "pending"
      }
      doses += expected
    }
    dosesByDay = Dictionary(grouping: doses, by: \.day)
  }

  private func counts(_ row: Medication) -> Bool {
    !row.isDeleted && (row.isActive || row.endDate != nil)
  }

  // MARK: Expected doses

  func versions(_ schedule: Schedule) -> [ScheduleVersion] {
    let stored = rows.versions.filter { $0.row.id == schedule.id }
    return stored.isEmpty ? [ScheduleVersion(validFrom: nil, row: schedule)] : stored
  }

  func row(of schedule: Schedule, on day: Day) -> Schedule? {
    let valid = versions(schedule).filter { $0.validFrom.map { $0 <= day } ?? true }
    return valid.max { left, right in
      guard let later = right.validFrom else { return false }
      return left.validFrom.map { $0 < later } ?? true
    }?.row
  }

  func countsAtAll(_ schedule: Schedule) -> Bool {
    versions(schedule).contains { counts($0.row) }
  }

  private func counts(_ row: Schedule) -> Bool { row.isActive || row.endDate != nil }

  private func expectedDoses(_ medication: Medication, days: ClosedRange<Day>) -> [Dose] {
    var found: [Dose] = []
    for schedule in rows.schedules where schedule.medication == medication.id {
      var ofSchedule: [Dose] = []
      for version in versions(schedule) {
        for (second, day) in instants(of: version.row, days: days) {
          guard row(of: schedule, on: day) == version.row,
            counts(version.row),
            day >= max(medication.startDate, version.row.startDate),
            medication.endDate.map({ day <= $0 }) ?? true,
            version.row.endDate.map({ day <= $0 }) ?? true
          else { continue }
          let minutes = version.row.flexibilityMinutes ?? 60
          ofSchedule.append(
            Dose(
              medication: medication.id, schedule: schedule.id, second: second, day: day,
              flexibility: minutes * 60))
        }
      }
      for dose in ofSchedule {
        let twins = ofSchedule.filter { $0.second == dose.second }
        if twins.contains(where: { $0.day < dose.day }) { continue }
        if found.contains(where: { $0.schedule == schedule.id && $0.second == dose.second }) {
          continue
        }
        found.append(dose)
      }
    }
    return found.sorted { ($0.second, $0.schedule) < ($1.second, $1.schedule) }
  }

  /// The instants at which a row expects doses, and the day of each, whatever its dates.
  private func instants(of row: Schedule, days: ClosedRange<Day>) -> [(Int, Day)] {
    var found: [(Int, Day)] = []
    func clock(_ times: [TimeOfDay]) -> ReferenceClock {
      ReferenceClock(
        row, times: times, events: rows.events, adjustments: rows.adjustments, zones: zones)
    }
    switch row.timing {
    case .asNeeded: break
    case .timeBased(let times, let weekdays):
      let clock = clock(times)
      for day in days
      where weekdays.contains(weekday: day.weekday) && day >= row.startDate {
        for time in Set(clock.parts.flatMap(\.times)) {
          let second = clock.firstInstant(day: Int(day.ordinal), time: time)
          if clock.parts[clock.part(at: second)].times.contains(time) {
            found.append((second, day))
          }
        }
      }
    case .intervalBased(let seconds, let first, let maximum):
      let clock = clock([])
      var perDay: [Int: Int] = [:]
      var second = first.wholeSeconds
      while second < (Int(days.upperBound.ordinal) + 2) * 86_400 {
        if second >= (Int(days.lowerBound.ordinal) - 1) * 86_400 {
          let day = clock.date(at: second)
          perDay[day, default: 0] += 1
          if maximum.map({ perDay[day, default: 0] <= $0 }) ?? true {
            found.append((second, Day(ordinal: Int32(day))))
          }
        }
        second += seconds
      }
    }
    return found
  }

  // MARK: Records

  func localDay(_ record: DoseRecord) -> Day {
    guard let time = record.actualTime ?? record.scheduledTime,
      let zone = zones[record.recordedZone]
    else { preconditionFailure("a record has a time and a known zone") }
    return Day(ordinal: Int32(floorDay(zone.local(time.wholeSeconds))))
  }

  private func isLater(_ left: DoseRecord, than right: DoseRecord) -> Bool {
    (left.createdAt, left.id) > (right.createdAt, right.id)
  }

  /// As-needed schedules that a record can belong to.
  private func asNeededRows(_ record: DoseRecord) -> [Schedule.Timing] {
    if record.schedule == nil && record.scheduledTime != nil { return [] }
    return rows.schedules.filter { schedule in
      schedule.medication == record.medication && countsAtAll(schedule)
        && (record.schedule == nil || record.schedule == schedule.id)
    }.compactMap { row(of: $0, on: localDay(record))?.timing }.filter(\.isAsNeeded)
  }

  private mutating func match(_ medication: Medication, _ expected: inout [Dose]) {
    let schedules = rows.schedules.filter { $0.medication == medication.id }
    let all = rows.records.filter { record in
      record.medication == medication.id
        && (record.schedule == nil
          || schedules.contains { $0.id == record.schedule && countsAtAll($0) })
    }
    var records = all.filter { record in
      !all.contains { other in
        other.schedule == record.schedule && other.scheduledTime == record.scheduledTime
          && (record.scheduledTime != nil || other.actualTime == record.actualTime)
          && isLater(other, than: record)
      }
    }
    takeAsNeeded(&records)
    var rest: [DoseRecord] = []
    var byDose: [Int: DoseRecord] = [:]
    // Records of a schedule first: one without can do with what they leave.
    for record in records.filter({ $0.schedule != nil }) + records.filter({ $0.schedule == nil }) {
      let same = expected.indices.filter { index in
        Double(expected[index].second) * 1e6 == record.scheduledTime.map { Double($0.microseconds) }
          && (record.schedule == nil || record.schedule == expected[index].schedule)
      }
      if same.isEmpty {
        rest.append(record)
      } else if let free = same.first(where: { byDose[$0] == nil }) {
        byDose[free] = record
      } else if let older = same.first(where: { index in
        byDose[index].map { isLater(record, than: $0) } ?? false
      }) {
        byDose[older] = record
      }
    }
    let expecting = schedules.filter { schedule in
      versions(schedule).contains { counts($0.row) && !$0.row.timing.isAsNeeded }
    }
    for schedule in expecting {
      assign(&rest, to: &byDose, expected) { dose in
        dose.schedule == schedule.id
      } recordsOf: {
        $0 == schedule.id || (expecting.count == 1 && $0 == nil)
      }
    }
    if expecting.count > 1 {
      assign(&rest, to: &byDose, expected) { _ in
        true
      } recordsOf: {
        $0 == nil
      }
    }
    for (index, record) in byDose { settle(&expected[index], record) }
    extras += rest.filter { $0.status == .taken }.map {
      Unexpected(medication: medication.id, record: $0.id, day: localDay($0))
    }
  }

  /// Assigns the loose records of some schedules among the doses of some schedules; takes them out of `loose`.
  private func assign(
    _ loose: inout [DoseRecord], to byDose: inout [Int: DoseRecord], _ expected: [Dose],
    among isInLine: (Dose) -> Bool, recordsOf isAssigned: (UUID?) -> Bool
  ) {
    func time(_ record: DoseRecord) -> Int {
      (record.scheduledTime ?? record.actualTime)?.wholeSeconds ?? 0
    }
    let records = loose.filter { isAssigned($0.schedule) }.sorted { left, right in
      time(left) != time(right) ? time(left) < time(right) : isLater(right, than: left)
    }
    let line = expected.indices.filter { isInLine(expected[$0]) }
    let matching = ReferenceMatching(
      doses: line.map { index in
        ReferenceMatching.Dose(
          second: expected[index].second, day: Int(expected[index].day.ordinal),
          isOpen: byDose[index].map { $0.status == .missed } ?? true)
      },
      records: records.map { .init(second: time($0), saysMissed: $0.status == .missed) })
    let assignments = matching.assignments()
    for (record, dose) in assignments { byDose[line[dose]] = records[record] }
    loose.removeAll { isAssigned($0.schedule) }
    loose += records.indices.filter { assignments[$0] == nil }.map { records[$0] }
  }

  private func settle(_ dose: inout Dose, _ record: DoseRecord) {
    dose.record = record.id
    dose.outcome = record.status.rawValue
    guard record.status == .taken, let actual = record.actualTime else { return }
    let off = actual.wholeSeconds - (record.scheduledTime?.wholeSeconds ?? dose.second)
    dose.timing = off > dose.flexibility ? "late" : off < -dose.flexibility ? "early" : "onTime"
  }

  private mutating func takeAsNeeded(_ records: inout [DoseRecord]) {
    let taken = records.filter { !asNeededRows($0).isEmpty && $0.status == .taken }
    records.removeAll { !asNeededRows($0).isEmpty }
    func time(_ record: DoseRecord) -> Int { record.actualTime?.wholeSeconds ?? 0 }
    let ordered = taken.sorted { left, right in
      time(left) != time(right) ? time(left) < time(right) : isLater(right, than: left)
    }
    for (index, record) in ordered.enumerated() {
      var dose = Unexpected(
        medication: record.medication, record: record.id, day: localDay(record))
      let before = ordered[...index].filter { time($0) > time(record) - 86_400 }
      for case .asNeeded(let seconds, let maximum) in asNeededRows(record) {
        if let maximum, before.count > maximum { dose.isOveruse = true }
        if let seconds, index > 0, time(record) - time(ordered[index - 1]) < seconds {
          dose.isOveruse = true
        }
      }
      asNeeded.append(dose)
    }
  }
}
