public import Foundation
public import VigilStorage

extension SQLStorage {
  public func requireRightsToExportPersons() throws {
    try require(PrivacyStatement.mayExportPersons, to: "export a person")
  }

  public func requireRightsToErasePersons() throws {
    try require(PrivacyStatement.mayErasePersons, to: "erase a person")
  }

  private func require(_ right: PrivacyStatement, to work: String) throws {
    guard try withSession({ try $0.count(right) }) == 0 else { return }
    throw StorageError(
      .permissionDenied, "\(displayName) does not permit this role to \(work)",
      remedy: "use the login of the owner, or GRANT vigil_eraser to the role")
  }

  // MARK: Rows

  public func personalRows(of person: UUID) throws -> [PersonalRows] {
    try withSession { session in
      try session.personalTables().filter(\.definition.isExported).compactMap {
        try session.rows(of: person, in: $0)
      }
    }
  }

  public func personalRowCounts(of person: UUID) throws -> [PersonalRowCount] {
    try withSession { session in
      try session.personalTables().compactMap { table in
        let rows = try table.definition.links.reduce(0) {
          try $0 + session.count(of: person, in: table.definition, by: $1)
        }
        guard rows > 0 else { return nil }
        return PersonalRowCount(
          table: table.definition.name, rows: rows, isForeign: !table.isOwn)
      }
    }
  }

  // MARK: Erasure

  public func erase(_ person: UUID, recording record: ErasedPerson) throws -> [PersonalRowCount] {
    try withErasureSession { session in
      let tables = try session.personalTables()
      try session.takeOutOfGroups(person, at: record.erasedAt)
      var counts: [PersonalRowCount] = []
      for table in tables {
        let definition = table.definition
        let rows = try definition.links.reduce(0) { sum, link in
          let count = try session.count(of: person, in: definition, by: link)
          return sum
            + (table.isOwn ? try session.remove(person, from: definition, by: link) : count)
        }
        if rows > 0 {
          counts.append(
            PersonalRowCount(table: definition.name, rows: rows, isForeign: !table.isOwn))
        }
      }
      // That the person's rows are gone is noted with their id.
      try session.takeHistoryChanges()
      try session.execute(
        PrivacyStatement.addErasedPerson, record.digest, record.key, record.erasedAt)
      return counts
    }
  }

  // MARK: Traces

  /// The tables whose rows hold the id of a person in any column.
  public func tableTraces(of person: UUID) throws -> [PersonTrace] {
    try withSession { session in
      try session.relations().filter { $0.isOwn && $0.isReadable }.compactMap { relation in
        let columns = try session.columns(of: relation.name).filter(\.mayHoldIDs)
        guard !columns.isEmpty else { return nil }
        let rows = try session.count(
          PrivacyStatement.countTraces,
          ["table": .name(relation.name), "holds": .expression(.holdsText(columns.map(\.name)))],
          person)
        return rows > 0 ? .table(relation.name, rows: rows) : nil
      }
    }
  }

  // MARK: Requests and the list

  public func record(_ request: ErasureRequest) throws {
    _ = try withTransaction(on: "erasure_requests") { session in
      try session.execute(
        PrivacyStatement.putErasureRequest, request.person, request.requestedAt, request.dueAt)
    }
  }

  public func revokeErasure(of person: UUID) throws -> Bool {
    try withTransaction(on: "erasure_requests") { session in
      try session.execute(PrivacyStatement.removeErasureRequest, person) > 0
    }
  }

  public func erasureRequests() throws -> [ErasureRequest] {
    try withSession { session in
      try session.rows(PrivacyStatement.listErasureRequests) {
        try ErasureRequest(
          person: $0.uuid(), requestedAt: $0.timestamp(), dueAt: $0.timestamp())
      }
    }
  }

  public func erasedPersons() throws -> [ErasedPerson] {
    try withSession { session in
      try session.rows(PrivacyStatement.listErasedPersons) {
        try ErasedPerson(digest: $0.text(), key: $0.text(), erasedAt: $0.timestamp())
      }
    }
  }

  public func record(_ erased: [ErasedPerson]) throws {
    try withTransaction(on: "erased_persons") { session in
      for person in erased {
        try session.execute(
          PrivacyStatement.addErasedPerson, person.digest, person.key, person.erasedAt)
      }
    }
  }

  public func personIDs() throws -> [UUID] {
    try withSession { session in
      try session.rows(PrivacyStatement.listPersonIDs) { try $0.uuid() }
    }
  }
}

extension SQLExpression {
  /// Whether one of some columns holds the first parameter as a part of its text.
  fileprivate static func holdsText(_ columns: [String]) -> SQLExpression {
    SQLExpression(
      unsafeSQL: columns.map { column in
        "lower(CAST(own.\(column.quotedIdentifier) AS text)) LIKE '%' || CAST($1 AS text) || '%'"
      }.joined(separator: " OR "))
  }
}
