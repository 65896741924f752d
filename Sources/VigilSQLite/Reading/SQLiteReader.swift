import Foundation
import GRDB
import GRDBSQLite
import VigilModel
import VigilSQL
import VigilStorage

/// Reads blocks of persons over a connection of its own.
final class SQLiteReader: SQLReader {
  /// Keeps the writing connection open for longer than this one, because the last to close empties
  /// the WAL and a reader cannot.
  private let storage: SQLiteStorage
  private let queue: DatabaseQueue
  private var metricStatements: [(query: MetricQuery, statement: RawStatement)] = []
  private var knownLayout: MetricLayout?
  private var historyStatements: [HistorySubject: RawStatement] = [:]
  /// The connection within `atOneMoment`.
  private var present: Database?

  var file: DatabaseFile { storage.file }

  init(storage: SQLiteStorage) throws {
    self.storage = storage
    queue = try storage.file.mappingErrors {
      try DatabaseQueue(
        path: storage.connectionPath, configuration: SQLiteStorage.configuration(isReadOnly: true))
    }
  }

  deinit {
    metricStatements = []
    historyStatements = [:]
    try? queue.close()
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try file.mappingErrors { try present.map(body) ?? queue.read(body) }
  }

  func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result {
    try read { db in
      let outer = present
      present = db
      defer { present = outer }
      return try body()
    }
  }

  func withSession<Result>(_ body: (SQLiteSession) throws -> Result) throws -> Result {
    try read { try body(SQLiteSession(db: $0, file: file)) }
  }

  // MARK: Metrics

  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try readMetrics(
      of: persons, through: days.upperBound, metrics: metrics, reportsWear: reportsWear, into: sink
    ) { _ in days.lowerBound }
  }

  func readMetrics(
    of persons: [UUID], from firstDays: [Day], through last: Day, metrics: [MetricType],
    reportsWear: Bool, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try readMetrics(
      of: persons, through: last, metrics: metrics, reportsWear: reportsWear, into: sink
    ) { firstDays[$0] }
  }

  private func readMetrics(
    of persons: [UUID], through last: Day, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink, from firstDay: (_ person: Int) -> Day
  ) throws -> UnusableRows {
    try read { db in
      var unusable = UnusableRows()
      let query = MetricQuery(
        metrics: metrics, reportsWear: reportsWear, reportsCreation: sink.wantsCreation)
      let statement = try prepared(query, on: db)
      let values = UnsafeMutableBufferPointer<Double>.allocate(capacity: metrics.count)
      defer { values.deallocate() }
      let firstMetric = MetricQuery.firstMetricColumn
      let otherColumn = firstMetric + metrics.count
      var sources = SourceIndexes()
      var updates = InstantMemory()
      var creations = InstantMemory()
      let reportsCreation = query.reportsCreation
      let creationColumn = firstMetric + metrics.count + (reportsWear ? 1 : 0)
      statement.bind(last, at: 3)
      for (person, id) in persons.enumerated() {
        statement.bind(id, at: 1)
        statement.bind(firstDay(person), at: 2)
        try statement.forEachRow { row in
          guard let day = Day(utf8: row.utf8(0)) else {
            unusable.addRow(
              of: MetricQuery.table, .impossibleDate,
              key: [id.lowercased, row.text(0), row.text(1)])
            return
          }
          let source = sources.index(of: UnsafeRawBufferPointer(row.utf8(1))) {
            sink.index(ofSource: $0)
          }
          for metric in 0..<metrics.count { values[metric] = row.double(firstMetric + metric) }
          if reportsCreation {
            sink.noteCreation(at: creations.instant(row.utf8(creationColumn)))
          }
          sink.append(
            person: person, day: day, source: source, values: UnsafeBufferPointer(values),
            isOtherPositive: reportsWear && row.int(otherColumn) != 0,
            updatedAt: updates.instant(row.utf8(2)))
        }
      }
      return unusable
    }
  }

  private func prepared(_ query: MetricQuery, on db: Database) throws -> RawStatement {
    if let known = metricStatements.first(where: { $0.query == query }) { return known.statement }
    let statement = try RawStatement(
      ReadingStatement.listMetrics, query.fillings(on: db, of: file), on: db)
    metricStatements.append((query, statement))
    return statement
  }

  // MARK: History

  func metricLayout() throws -> MetricLayout {
    if let knownLayout { return knownLayout }
    let layout = try read { db in
      MetricLayout(
        try db.columns(in: MetricQuery.table).filter { MetricQuery.isNumeric($0.type) }
          .map { MetricType($0.name) })
    }
    knownLayout = layout
    return layout
  }

  func historyState(of subject: HistorySubject) throws -> HistoryState {
    try withSession { session in
      HistoryState(
        isKept: try session.keepsHistory(of: subject),
        generation: try session.count(HistoryStatement.findGeneration, subject.rawValue))
    }
  }

  func historyBlocks(
    of owners: [UUID], _ subject: HistorySubject, layout: Int, since first: Day
  ) throws -> [UUID: [HistoryBlock]] {
    try read { db in
      let statement =
        try historyStatements[subject]
        ?? RawStatement(HistoryStatement.findHistoryBlocks, subject.fillings, on: db)
      historyStatements[subject] = statement
      statement.bind(layout, at: 2)
      statement.bind(first, at: 3)
      var found: [UUID: [HistoryBlock]] = [:]
      for id in owners {
        var blocks: [HistoryBlock] = []
        statement.bind(id, at: 1)
        try statement.forEachRow { row in
          guard let first = Day(utf8: row.utf8(0)), let last = Day(utf8: row.utf8(1)), first <= last
          else { return }
          blocks.append(
            HistoryBlock(owner: id, days: first...last, rows: Array(row.bytes(2))))
        }
        found[id] = blocks
      }
      return found
    }
  }

  // MARK: Context

  func inputFingerprint(
    of persons: [UUID], days: ClosedRange<Day>
  ) throws -> InputFingerprint {
    try read { db in
      let query = try RawStatement(ReadingStatement.fingerprintInput, on: db)
      query.bind(days.lowerBound, at: 2)
      query.bind(days.upperBound, at: 3)
      var found = InputFingerprint(
        metricRows: 0, newestUpdate: nil, updateSeconds: 0, workoutDays: 0)
      for id in persons {
        query.bind(id, at: 1)
        try query.forEachRow { row in
          found.metricRows += row.int(0)
          if let newest = Timestamp(row.text(1)) {
            found.newestUpdate = max(found.newestUpdate ?? newest, newest)
          }
          if row.int(3) == row.int(0) {
            found.updateSeconds? += row.int(2)
          } else {
            found.updateSeconds = nil
          }
          found.workoutDays += row.int(4)
        }
      }
      return found
    }
  }

  func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try read { try $0.profiles(of: users, in: file) }
  }
}

extension Database {
  /// The profiles of those of `users` that have one, or hours in which they are not disturbed.
  func profiles(of users: [UUID], in file: DatabaseFile) throws -> [UUID: UserProfile] {
    let query = try RawStatement(
      ReadingStatement.listProfiles,
      ["profile_columns": ProfileRow.selection(of: Set(ProfileRow.columns))], on: self)
    var profiles: [UUID: UserProfile] = [:]
    for id in users {
      query.bind(id, at: 1)
      try query.forEachRow { row in
        var row = RowDecoder(row, of: ProfileRow.table, in: file)
        let (user, profile) = try ProfileRow.decode(&row)
        profiles[user] = profile
      }
    }
    let hours = try RawStatement(ReadingStatement.listDoNotDisturb, on: self)
    for id in Set(users) {
      hours.bind(id, at: 1)
      try hours.forEachRow { row in
        var row = RowDecoder(row, of: InputTable.doNotDisturb.name, in: file)
        ProfileRow.add(try ProfileRow.decodeHours(&row), to: &profiles)
      }
    }
    return profiles
  }
}
