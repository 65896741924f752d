public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func persons(among ids: Set<UUID>) throws -> Set<UUID> {
    try withSession { session in
      Set(try session.rows(InputStatement.listPersonsAmong, Array(ids)) { try $0.uuid() })
    }
  }

  public func persons(beginningWith prefix: UUIDPrefix, limit: Int) throws -> [UUID] {
    try withSession { session in
      try session.rows(
        InputStatement.listPersonsBetween, prefix.lowest, prefix.highest, limit
      ) { try $0.uuid() }
    }
  }

  public func quarantinedRows(limit: Int) throws -> (rows: [QuarantinedRow], total: Int) {
    try withSession { session in
      let rows = try session.rows(InputStatement.listQuarantinedRows, limit) { row in
        let found = try row.timestamp()
        return try QuarantinedRow(
          runID: row.uuidIfPresent(), table: row.text(), file: row.textIfPresent(),
          line: row.intIfPresent(), column: row.textIfPresent(), reason: row.text(),
          key: row.textIfPresent(), foundAt: found)
      }
      return (rows, try session.count(InputStatement.countQuarantinedRows))
    }
  }

  public func externalIDs(of persons: Set<UUID>) throws -> [UUID: String] {
    try withSession { session in
      let found = try session.rows(InputStatement.listExternalIDs, Array(persons)) {
        (try $0.uuid(), try $0.text())
      }
      return Dictionary(found) { first, _ in first }
    }
  }

  public func timeZones(of persons: Set<UUID>) throws -> [UUID: String] {
    try withSession { session in
      let found = try session.rows(InputStatement.listTimeZones, Array(persons)) {
        (try $0.uuid(), try $0.text())
      }
      return Dictionary(found) { first, _ in first }
    }
  }

  public func persons(withExternalIDs externalIDs: Set<String>) throws -> [String: UUID] {
    // PostgreSQL has no text with a NUL.
    let asked = externalIDs.filter { !$0.utf8.contains(0) }.sorted()
    return try withSession { session in
      let found = try session.rows(
        InputStatement.listPersonsByExternalID, asked
      ) { (try $0.text(), try $0.uuid()) }
      return Dictionary(found) { first, _ in first }
    }
  }

  public func hasMetrics(in days: ClosedRange<Day>) throws -> Bool {
    try withSession { session in
      try !session.rows(InputStatement.findAnyMetrics, days.lowerBound, days.upperBound) {
        try $0.uuid()
      }.isEmpty
    }
  }

  public func hasMedications() throws -> Bool { try withSession { try $0.hasMedications() } }

  public func hasCheckIns() throws -> Bool { try withSession { try $0.hasCheckIns() } }

  /// Adds the persons with check-ins on `days`, or with a plan of them, to ids in ascending order.
  public func addPersonsWithCheckIns(on days: ClosedRange<Day>, to persons: [UUID]) throws -> [UUID]
  {
    try withSession { session in
      guard try session.hasCheckIns() else { return persons }
      // Local days begin before those of UTC, and end after them.
      let found = try session.rows(
        InputStatement.listPersonsWithCheckIns, (days.lowerBound - 1).midnight,
        (days.upperBound + 2).midnight
      ) { try $0.uuid() }
      return Set(persons).union(found).sorted()
    }
  }

  public func metricDays() throws -> ClosedRange<Day>? {
    try withSession { try $0.metricDays() }
  }

  public func senders(
    from first: Day, recent: Day, to last: Day
  ) throws -> (persons: Int, silent: Int) {
    try withSession { session in
      try session.rows(InputStatement.countSenders, first, recent, last) {
        (persons: try $0.int(), silent: try $0.int())
      }.first ?? (0, 0)
    }
  }
}

extension SQLSession {
  /// Whether there is any medication.
  public func hasMedications() throws -> Bool { try count(InputStatement.findAnyMedication) > 0 }

  /// Whether there is any check-in, or any plan of them.
  public func hasCheckIns() throws -> Bool { try count(InputStatement.findAnyCheckIn) > 0 }

  /// The days of which a person's row of one source has a value, in order.
  public func daysWithMetrics(
    of person: UUID, source: String, in days: ClosedRange<Day>
  ) throws -> [Day] {
    try rows(
      InputStatement.listDaysOfSource, person, source, days.lowerBound, days.upperBound
    ) { try $0.day() }
  }

  /// The first and the last day with a metric row; nil without one.
  ///
  /// Days that no calendar has, such as `infinity` in a table of others, do not count.
  public func metricDays() throws -> ClosedRange<Day>? {
    let (first, last) = (Day.calendar.lowerBound, Day.calendar.upperBound)
    let days = try rows(InputStatement.findMetricDays, first, last) {
      (try $0.dayIfPresent(), try $0.dayIfPresent())
    }.first
    guard let days, let first = days.0, let last = days.1 else { return nil }
    return first...last
  }
}
