import Foundation
import VigilModel
import VigilSQL
import VigilStorage

extension PostgresReader {
  func readScores(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ row: VitalityScore) -> Void
  ) throws -> UnusableRows {
    guard !persons.isEmpty else { return UnusableRows() }
    return try mappingErrors {
      try withoutActuallyEscaping(body) { body in
        var parser = ScoreRowParser(persons: persons, database: database, body: body)
        let statement = connection.statements.statement(
          ReadingStatement.copyScores, MetricCopy.rows(of: persons, days: days))
        try connection.copyOut(statement) { try parser.parse($0) }
        return parser.unusable
      }
    }
  }

  func birthDates(of persons: [UUID]) throws -> [Day?] {
    let table = InputTable.users.name
    let columns = try mappingErrors { try connection.columns(of: table) }
    // A view of other data need not have it.
    guard let type = columns.first(where: { $0.name == "birth_date" })?.type,
      type == "date" || type.hasPrefix("timestamp")
    else { return Array(repeating: nil, count: persons.count) }
    return try knownBirthDates(of: persons)
  }
}

/// Takes a binary COPY of scores apart.
private struct ScoreRowParser {
  private let indexOfPerson: [UUID: Int]
  private let database: String
  private let body: (_ person: Int, _ row: VitalityScore) -> Void
  private var hasHeader = false
  private var person: (id: UUID, index: Int)?
  /// The last person and day with a row of another source.
  private var taken: (user: UUID, day: Day)?
  /// Rows whose scores were ignored.
  private(set) var unusable = UnusableRows()

  init(
    persons: [UUID], database: String, body: @escaping (_ person: Int, _ row: VitalityScore) -> Void
  ) {
    indexOfPerson = Dictionary(
      persons.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    self.database = database
    self.body = body
  }

  /// Every message of the server holds whole rows; the first one begins with the header of the format.
  ///
  /// - Throws: `StorageError`.
  mutating func parse(_ message: UnsafeRawBufferPointer) throws {
    do {
      var position = 0
      if !hasHeader {
        position = try CopyCursor.headerLength(of: message)
        hasHeader = true
      }
      while position < message.count { position = try parseRow(message, at: position) }
    } catch is CopyCursor.TruncatedRow {
      throw StorageError(
        .unexpected,
        "\(database) sent rows of \(VitalityScoreRow.table) in a form that is not binary COPY")
    }
  }

  /// Gives the position after the row.
  private mutating func parseRow(_ message: UnsafeRawBufferPointer, at start: Int) throws -> Int {
    var cursor = CopyCursor(message, start)
    let columnCount = try cursor.columnCount()
    // What ends the format.
    if columnCount == -1 { return message.count }
    guard columnCount == VitalityScoreRow.columns.count else { throw CopyCursor.TruncatedRow() }
    let (id, date) = try (cursor.id(), cursor.field())
    let (total, sleep, movement, stress) = try (
      cursor.double(), cursor.double(), cursor.double(), cursor.double()
    )
    let (version, source) = try (cursor.field(), cursor.field())
    // COPY was asked for these persons and days only.
    guard let id, let index = index(of: id), date.count == 4, let day = BinaryFormat.day(date)
    else {
      return cursor.position
    }
    let (schemaVersion, origin) = (
      String(decoding: version, as: UTF8.self), String(decoding: source, as: UTF8.self)
    )
    // An empty source is NULL, and a row without a source is not Vigil's.
    let score =
      origin.isEmpty
      ? nil
      : VitalityScoreRow.make(
        id, day, total: total, sleep: sleep, movement: movement, stress: stress,
        schemaVersion: schemaVersion, source: origin)
    if score == nil {
      unusable.addRow(
        of: VitalityScoreRow.table, .impossibleValue, key: [id.lowercased, day.description])
    }
    if let row = score ?? withoutScores(id, day, schemaVersion, origin) {
      body(index, row)
      if row.isForeign { taken = (id, day) }
    }
    return cursor.position
  }

  /// An unusable row of another source takes its day all the same.
  ///
  /// Vigil adds no row of its own beside it. Nil for a row of Vigil's, which is written anew, and
  /// on a day that is taken.
  private func withoutScores(
    _ user: UUID, _ day: Day, _ schemaVersion: String, _ source: String
  ) -> VitalityScore? {
    let row = VitalityScore(
      user: user, day: day, total: nil, sleep: nil, movement: nil, stress: nil,
      schemaVersion: schemaVersion, source: source)
    let isTaken = taken.map { $0 == (user, day) } ?? false
    return row.isForeign && !isTaken ? row : nil
  }

  private mutating func index(of id: UUID) -> Int? {
    if let person, person.id == id { return person.index }
    guard let index = indexOfPerson[id] else { return nil }
    person = (id, index)
    return index
  }
}
