import Foundation
import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func makeReaders(count: Int) throws -> [any StorageReader] {
    guard count > 0 else { return [] }
    do {
      return try retry.run {
        // The first takes a snapshot, the others take over what it sees.
        let first = try PostgresReader(of: self, sharing: nil)
        let snapshot = try first.exportSnapshot()
        return try [first]
          + (1..<count).map { _ in try PostgresReader(of: self, sharing: snapshot) }
      }
    } catch let error as PostgresError {
      throw StorageError(error, database: displayName).asUnreachable
    }
  }
}

extension PostgresStorage {
  public func makeResultReader() throws -> any ResultReader {
    do {
      return try retry.run { try PostgresReader(of: self, sharing: nil) }
    } catch let error as PostgresError {
      throw StorageError(error, database: displayName).asUnreachable
    }
  }
}

/// Reads blocks of persons over a connection of its own, in one transaction that sees the database as
/// it was when the reader was made.
final class PostgresReader: SQLReader {
  let connection: Connection
  let database: String
  /// By table.
  var medicationSelects: [String: MedicationSelect] = [:]
  /// The way in which the doses of batches are found; decided with the first one.
  var doseWay: DoseSelect.Way?
  private var metricCopies:
    [(metrics: [MetricType], reportsWear: Bool, reportsCreation: Bool, copy: MetricCopy)] = []
  private var knownLayout: MetricLayout?
  private var knownHistory: [HistorySubject: HistoryState] = [:]

  /// - Throws: `PostgresError`.
  init(of storage: PostgresStorage, sharing snapshot: String?) throws {
    database = storage.displayName
    connection = try storage.openConnection(purpose: "vigil reader")
    try connection.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    if let snapshot {
      let literal = try connection.quoted(literal: snapshot)
      try connection.run(script: "SET TRANSACTION SNAPSHOT \(literal)")
    }
    // Where the planner sorts the rows of a batch, some 10 MB, the default would send them to disk.
    try connection.run(script: "SET LOCAL work_mem = '64MB'; \(Connection.searchingByIndex)")
  }

  func exportSnapshot() throws -> String {
    try connection.text(ConnectionStatement.exportSnapshot)
  }

  func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PostgresError {
      throw StorageError(error, database: database)
    }
  }

  func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
    try mappingErrors { try body(PostgresSession(connection: connection, database: database)) }
  }

  // MARK: Metrics

  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try readMetrics(of: persons, metrics, reportsWear: reportsWear, into: sink) {
      ($0.fillings(persons: persons, days: days), .copyMetrics)
    }
  }

  func readMetrics(
    of persons: [UUID], from firstDays: [Day], through last: Day, metrics: [MetricType],
    reportsWear: Bool, into sink: some MetricRowSink
  ) throws -> UnusableRows {
    try readMetrics(of: persons, metrics, reportsWear: reportsWear, into: sink) {
      ($0.fillings(persons: persons, from: firstDays, through: last), .copyNewestMetrics)
    }
  }

  private func readMetrics(
    of persons: [UUID], _ metrics: [MetricType], reportsWear: Bool, into sink: some MetricRowSink,
    by select: (MetricCopy) -> (SQLFillings, ReadingStatement)
  ) throws -> UnusableRows {
    try mappingErrors {
      let copy = try prepared(metrics, reportsWear, sink.wantsCreation)
      guard !persons.isEmpty else { return UnusableRows() }
      let values = UnsafeMutableBufferPointer<Double>.allocate(capacity: metrics.count)
      defer { values.deallocate() }
      var parser = MetricRowParser(
        sink: sink, persons: persons, metricCount: metrics.count, reportsWear: reportsWear,
        values: values, database: database)
      let (fillings, name) = select(copy)
      let statement = connection.statements.statement(name, fillings)
      try connection.copyOut(statement) { try parser.parse($0) }
      return parser.unusable
    }
  }

  private func prepared(
    _ metrics: [MetricType], _ reportsWear: Bool, _ reportsCreation: Bool
  ) throws -> MetricCopy {
    if let known = metricCopies.first(where: {
      $0.metrics == metrics && $0.reportsWear == reportsWear
        && $0.reportsCreation == reportsCreation
    }) {
      return known.copy
    }
    let copy = try MetricCopy(
      metrics: metrics, reportsWear: reportsWear, reportsCreation: reportsCreation,
      columns: connection.columns(of: MetricCopy.table), database: database)
    metricCopies.append((metrics, reportsWear, reportsCreation, copy))
    return copy
  }

  // MARK: History

  /// All readings of a reader do.
  func atOneMoment<Result>(_ body: () throws -> Result) throws -> Result { try body() }

  func metricLayout() throws -> MetricLayout {
    if let knownLayout { return knownLayout }
    let columns = try mappingErrors { try connection.columns(of: MetricCopy.table) }
    let layout = MetricLayout(
      columns.filter { MetricCopy.isNumeric($0.type) }.map { MetricType($0.name) })
    knownLayout = layout
    return layout
  }

  func historyState(of subject: HistorySubject) throws -> HistoryState {
    if let known = knownHistory[subject] { return known }
    let found = try withSession { session in
      guard try session.mayKeepHistory() else { return nil as HistoryState? }
      return try session.rows(HistoryStatement.findHistoryState, subject.rawValue) {
        HistoryState(isKept: try $0.bool(), generation: try $0.int())
      }.first
    }
    let state = found ?? HistoryState(isKept: false, generation: 0)
    knownHistory[subject] = state
    return state
  }

  func historyBlocks(
    of owners: [UUID], _ subject: HistorySubject, layout: Int, since first: Day
  ) throws -> [UUID: [HistoryBlock]] {
    let statement = connection.statements.statement(
      HistoryStatement.listHistoryBlocks, subject.fillings)
    let values: [any SQLConvertible] = [subject.rawValue, owners, layout, first]
    let found = try withSession { session in
      try session.rows(statement, values.map(\.sqlValue)) { row in
        let (owner, first, last) = (try row.uuid(), try row.day(), try row.day())
        return HistoryBlock(owner: owner, days: first...max(first, last), rows: row.bytes())
      }
    }
    return Dictionary(grouping: found, by: \.owner).mapValues {
      $0.sorted { $0.days.lowerBound < $1.days.lowerBound }
    }
  }

  // MARK: Context

  func inputFingerprint(
    of persons: [UUID], days: ClosedRange<Day>
  ) throws -> InputFingerprint {
    let update = try mappingErrors {
      try MetricCopy.instant("updated_at", in: connection.columns(of: MetricCopy.table))
    }
    let parameters = Parameters {
      $0.put(persons)
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
    }
    let found = try rows(
      ReadingStatement.fingerprintInput, parameters, ["update": .expression(update)]
    ) { row in
      InputFingerprint(
        metricRows: try row.int(), newestUpdate: try row.timestampIfPresent(),
        updateSeconds: try row.intIfPresent(), workoutDays: try row.int())
    }
    return found.first
      ?? InputFingerprint(metricRows: 0, newestUpdate: nil, updateSeconds: 0, workoutDays: 0)
  }

  func profiles(of users: [UUID]) throws -> [UUID: UserProfile] {
    try mappingErrors { try connection.profiles(of: users, database: database) }
  }

  func rows<Row>(
    _ name: some StatementName, _ parameters: Parameters, _ fillings: SQLFillings = [:],
    _ decode: (inout ResultRow) throws -> Row
  ) throws -> [Row] {
    try mappingErrors {
      try connection.rows(name, parameters, fillings, database: database, decode)
    }
  }
}
