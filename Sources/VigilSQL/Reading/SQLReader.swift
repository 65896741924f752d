public import Foundation
public import VigilAdherence
public import VigilModel
public import VigilStorage

/// A reader over one connection that speaks SQL: drivers read metrics, doses and scores in bulk, and named
/// statements read the rest.
public protocol SQLReader: StorageReader, ResultReader {
  associatedtype Session: SQLSession

  /// Runs `body` on the connection of this reader; what it reads is of the reader's snapshot.
  func withSession<Result>(_ body: (Session) throws -> Result) throws -> Result
}

extension SQLReader {
  public func alertStates(
    of persons: [UUID], in profile: Profile, touchedSince day: Day
  ) throws -> [PatternAlertState] {
    try withSession { session in
      try session.rows(ReaderStatement.listAlertStatesTouchedSince, persons, day, profile.id) {
        try AlertStateRow.decode(&$0)
      }
    }
  }

  public func alertStates(withIDs ids: [UUID]) throws -> [PatternAlertState] {
    try withSession { session in
      try session.rows(ReaderStatement.listAlertStatesWithIDs, ids) {
        try AlertStateRow.decode(&$0)
      }
    }
  }

  public func readAlerts(among ids: [UUID]) throws -> Set<UUID> {
    try withSession { session in
      Set(try session.rows(ReaderStatement.listReadAlerts, ids) { try $0.uuid() })
    }
  }

  public func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]] {
    let found = try withSession { session in
      try session.rows(ReaderStatement.listFamilyMembers, persons) { row in
        (
          person: try row.int() - 1,
          member: try FamilyMember(
            family: row.uuid(), user: row.uuid(), role: row.word(), inviteStatus: row.word())
        )
      }
    }
    var members = [[FamilyMember]](repeating: [], count: persons.count)
    for (person, member) in found { members[person].append(member) }
    return members
  }

  public func exclusions(of persons: [UUID]) throws -> [UUID: Set<UUID>] {
    let found = try withSession { session in
      try session.rows(ReaderStatement.listExclusions, persons) {
        (subject: try $0.uuid(), excluded: try $0.uuid())
      }
    }
    return found.reduce(into: [:]) { $0[$1.subject, default: []].insert($1.excluded) }
  }

  public func doseTotals(
    of persons: [UUID], period: AdherencePeriod.Kind, endingOn days: ClosedRange<Day>
  ) throws -> [DoseAnalytics] {
    try withSession { session in
      try session.rows(
        ReaderStatement.listDoseTotals, persons, period.rawValue, days.lowerBound, days.upperBound
      ) { try DoseAnalyticsRow.decode(&$0).analytics }
    }
  }

  public func alertStatesOfMedications(
    of persons: [UUID], touchedSince day: Day
  ) throws -> [PatternAlertState] {
    try withSession { session in
      try session.rows(ReaderStatement.listAlertStatesOfMedications, persons, day) {
        try AlertStateRow.decode(&$0)
      }
    }
  }

  public func trendCoverages(of persons: [UUID]) throws -> [UUID: TrendCoverage] {
    let found = try withSession { session in
      try session.rows(ResultStatement.listTrendCoveragesOfPersons, persons) {
        try TrendCoverageRow.decode(&$0)
      }
    }
    return Dictionary(found.map { ($0.user, $0) }) { first, _ in first }
  }

  public func checkIns(
    of persons: [UUID], at times: ClosedRange<Timestamp>
  ) throws -> (checkIns: [CheckIns], unusable: UnusableRows) {
    var checkIns = Array(repeating: CheckIns(), count: persons.count)
    var unusable = UnusableRows()
    _ = try withSession { session in
      try session.rows(
        ReaderStatement.listCheckIns, persons, times.lowerBound, times.upperBound
      ) { row in
        let person = try row.int() - 1
        if let time = try row.timestampIfPresent() { checkIns[person].times.append(time) }
      }
    }
    _ = try withSession { session in
      try session.rows(ReaderStatement.listCheckInPlans, persons) { row in
        let person = try row.int() - 1
        let (interval, grace) = try (row.intIfPresent(), row.intIfPresent())
        let plan = (try? row.timestampIfPresent()).flatMap(\.self).map {
          CheckInPlan(intervalMinutes: interval ?? 0, graceMinutes: grace ?? 0, startsAt: $0)
        }
        if let plan, plan.isUsable {
          checkIns[person].plan = plan
        } else {
          unusable.addRow(
            of: InputTable.checkInPlans.name, .impossibleValue, key: [persons[person].lowercased])
        }
      }
    }
    return (checkIns, unusable)
  }

  public func sensitivities(
    of persons: [UUID]
  ) throws -> (personal: [UUID: PersonalSensitivity], unusable: UnusableRows) {
    var overrides: [UUID: [MetricType: Sensitivity]] = [:]
    var unusable = UnusableRows()
    _ = try withSession { session in
      try session.rows(ReaderStatement.listSensitivities, persons) { row in
        let person = persons[try row.int() - 1]
        let (metric, word) = try (row.textIfPresent(), row.textIfPresent())
        if let metric, let sensitivity = word.flatMap(Sensitivity.init) {
          overrides[person, default: [:]][MetricType(metric)] = sensitivity
        } else {
          unusable.addRow(
            of: InputTable.sensitivityOverrides.name, .impossibleValue,
            key: [person.lowercased, metric ?? ""])
        }
      }
    }
    return (overrides.mapValues(PersonalSensitivity.init).filter { !$0.value.isNormal }, unusable)
  }

  public func limits(
    of persons: [UUID]
  ) throws -> (personal: [UUID: [PersonLimit]], unusable: UnusableRows) {
    var limits: [UUID: [PersonLimit]] = [:]
    var unusable = UnusableRows()
    _ = try withSession { session in
      try session.rows(ReaderStatement.listLimits, persons) { row in
        let person = persons[try row.int() - 1]
        let found = try PersonLimitRow.decode(&row)
        if let limit = found.limit {
          limits[person, default: []].append(limit)
        } else {
          unusable.addRow(
            of: InputTable.personLimits.name, .impossibleValue,
            key: [person.lowercased, found.metric])
        }
      }
    }
    return (limits, unusable)
  }

  public func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void
  ) throws -> UnusableRows {
    var unusable = UnusableRows()
    _ = try withSession { session in
      try session.rows(
        ReaderStatement.listWorkoutDays, persons, days.lowerBound, days.upperBound
      ) { row in
        let person = try row.int() - 1
        if let day = try? row.day() {
          body(person, day)
        } else {
          let id = try row.text()
          unusable.addRow(of: InputTable.exerciseSessions.name, .impossibleDate, key: [id])
        }
      }
    }
    return unusable
  }

  public func birthDates(of persons: [UUID]) throws -> [Day?] { try knownBirthDates(of: persons) }

  /// The birth date of each of `persons`; nil where it is unknown or no date.
  public func knownBirthDates(of persons: [UUID]) throws -> [Day?] {
    let found = try withSession { session in
      try session.rows(ReaderStatement.listBirthDates, persons) {
        (person: try $0.int() - 1, day: try? $0.day())
      }
    }
    return found.reduce(into: Array(repeating: nil, count: persons.count)) {
      $0[$1.person] = $1.day
    }
  }
}
