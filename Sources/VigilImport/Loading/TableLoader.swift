import Foundation
import VigilModel
import VigilStorage

/// Writes typed rows to one table: merges repeated ones, refuses contradictions, creates persons.
final class TableLoader {
  private(set) var summary: ImportSummary.Table

  private let table: InputTable
  private let columns: [String]
  private let file: String
  private let session: ImportSession
  private let countsContradictions: Bool
  private let keysAreDistinct: Bool
  private let inserter: any RowInserter
  /// Inserts rows of `users` whose external id is in no column of the file.
  private var externalIDInserter: (any RowInserter)?
  private let keyIndices: [Int]
  /// Of the columns that no two rows share, besides the key.
  private let uniqueIndices: [Int]
  private let externalIDIndex: Int?
  /// Columns that hold ids of other tables.
  private let references: [(index: Int, table: InputTable)]
  /// The index of the id that other rows may refer to.
  private let idIndex: Int?
  /// A digest of the values of each row, by its key.
  private var digests = DigestTable()
  /// A digest of the key of each row, by its other columns that are unique.
  private var keysByUnique = DigestTable()

  /// - Parameters:
  ///   - columns: The columns of the rows to load, in their order.
  ///   - file: The name of the file they come from.
  ///   - countsContradictions: Whether the user can say which of two rows of a day counts.
  ///   - keysAreDistinct: Whether no two rows will have the same key, so that keys need not be remembered.
  init(
    table: InputTable, columns: [String], file: String, session: ImportSession,
    countsContradictions: Bool = false, keysAreDistinct: Bool = false
  ) throws {
    self.table = table
    self.countsContradictions = countsContradictions
    self.keysAreDistinct = keysAreDistinct
    self.columns = columns
    self.file = file
    self.session = session
    summary = ImportSummary.Table(name: table.name, file: file)
    keyIndices = table.key.compactMap { columns.firstIndex(of: $0) }
    uniqueIndices = table.alsoUnique.compactMap { columns.firstIndex(of: $0) }
    externalIDIndex = table == .users ? columns.firstIndex(of: "external_id") : nil
    references = columns.enumerated().compactMap { index, name in
      let target = table.column(named: name)?.reference
      return InputTable.all.first { $0.name == target }.map { (index, $0) }
    }
    let isReferredTo = InputTable.all.contains { other in
      other.columns.contains { $0.reference == table.name }
    }
    idIndex = isReferredTo ? columns.firstIndex(of: "id") : nil
    inserter = try session.writer.inserter(into: table, columns: columns, now: session.options.now)
  }

  /// Counts a row as read and unusable.
  func reject(_ problem: RowProblem, line: Int) throws {
    try willRead()
    try quarantine(problem, line: line)
  }

  /// Counts a row that the caller has merged with an earlier one.
  func merge() throws {
    try willRead()
    summary.rowsMerged += 1
  }

  /// Writes a row unless it repeats or contradicts an earlier one with its key.
  ///
  /// - Parameters:
  ///   - values: As many as the loader's columns, in their order.
  ///   - person: The person of the row; nil where the table has no such column.
  ///   - others: Further persons that the row names.
  func load(
    _ values: inout [InputValue], of person: PersonID?, naming others: [PersonID] = [], line: Int
  ) throws {
    try willRead()
    if session.options.isErased != nil, isOfErased(values, person, others) {
      if let idIndex, case .uuid(let id) = values[idIndex] { session.isLeftOut(id, in: table) }
      summary.rowsLeftOut += 1
      return
    }
    if let index = externalIDIndex, values[index] == .null, let externalID = person?.externalID {
      values[index] = .text(externalID)
    }
    switch remember(values) {
    case .repeated:
      summary.rowsMerged += 1
      return
    case .contradiction(let columns):
      if countsContradictions { session.contradictsDay() }
      let key = columns.joined(separator: ", ")
      try quarantine(
        RowProblem(column: nil, reason: "duplicate key (\(key)) with other values"), line: line)
      return
    case .new:
      break
    }
    if let problem = try unknownReference(in: values) { return try quarantine(problem, line: line) }
    if table == .users, let person {
      _ = session.isFirstMention(of: person.id)
      try upsertUser(values, externalID: person.externalID)
    } else {
      if let person { try ensureUser(person) }
      for other in others { try ensureUser(other) }
      try inserter.upsert(values)
    }
    if let idIndex, case .uuid(let id) = values[idIndex] { session.isWritten(id, in: table) }
    summary.rowsWritten += 1
  }

  /// Whether a row names a person who was erased, or refers to a row that does.
  private func isOfErased(
    _ values: [InputValue], _ person: PersonID?, _ others: [PersonID]
  ) -> Bool {
    ([person].compactMap(\.self) + others).contains { session.isErased($0.id) }
      || references.contains { index, table in
        guard case .uuid(let id) = values[index] else { return false }
        return session.wasLeftOut(id, in: table)
      }
  }

  private func unknownReference(in values: [InputValue]) throws -> RowProblem? {
    for (index, table) in references {
      guard case .uuid(let id) = values[index], try !session.isKnown(id, in: table) else {
        continue
      }
      return RowProblem(column: columns[index], reason: "not an id of \(table.name)")
    }
    return nil
  }

  private func ensureUser(_ person: PersonID) throws {
    guard session.isFirstMention(of: person.id) else { return }
    if try session.writer.ensureUser(
      person.id, externalID: person.externalID, now: session.options.now)
    {
      summary.personsAdded += 1
    }
  }

  private func willRead() throws {
    try session.checkForStop()
    summary.rowsRead += 1
  }

  private func quarantine(_ problem: RowProblem, line: Int) throws {
    summary.rowsQuarantined += 1
    try session.reject(problem, table: table, file: file, line: line)
  }

  /// A row without an external id must not clear the stored one.
  private func upsertUser(_ values: [InputValue], externalID: String?) throws {
    guard externalIDIndex == nil, let externalID else { return try inserter.upsert(values) }
    let inserter =
      try externalIDInserter
      ?? session.writer.inserter(
        into: table, columns: columns + ["external_id"], now: session.options.now)
    externalIDInserter = inserter
    try inserter.upsert(values + [.text(externalID)])
  }

  private enum Occurrence {
    case new
    case repeated
    /// Of an earlier row with the same values in these columns.
    case contradiction([String])
  }

  private func remember(_ values: [InputValue]) -> Occurrence {
    if keysAreDistinct { return .new }
    func fingerprint(_ indices: [Int]) -> Fingerprint {
      var fingerprint = Fingerprint()
      for index in indices { fingerprint.combine(values[index]) }
      return fingerprint
    }
    let key = fingerprint(keyIndices)
    var row = Fingerprint()
    for value in values { row.combine(value) }
    let digest = row.digest
    // The first row counts; every later one is compared with it.
    if let earlier = digests.insert(digest, for: key) {
      return earlier == digest ? .repeated : .contradiction(table.key)
    }
    if !uniqueIndices.isEmpty,
      keysByUnique.insert(key.digest, for: fingerprint(uniqueIndices)) != nil
    {
      return .contradiction(table.alsoUnique)
    }
    return .new
  }
}

extension Fingerprint {
  /// Enough of it for rows that differ to have others.
  fileprivate var digest: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }
}
