import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// The differences between the schema and the one that the migrations of this version make.
  func differenceFindings(_ connection: Connection) throws -> [Finding] {
    let found = try catalogue(connection).map { try stated($0, on: connection) }
    return Finding.onCatalogue(
      CatalogueComparison(
        of: found, with: Self.expectedCatalogue, foreign: Self.foreignInputs(in: found)),
      backup: "a pg_dump of it", schema: "\(schema.quotedIdentifier).")
  }

  /// A condition as the migrations state it, where it is the same condition in other words.
  ///
  /// The server writes a condition as it has read it, and a restored dump was read once more: parentheses may be
  /// gone. So the server reads both once more.
  private func stated(_ entry: CatalogueEntry, on connection: Connection) throws -> CatalogueEntry {
    guard entry.kind == .constraint, entry.definition.hasPrefix("CHECK "),
      let expected = Self.expectedConditions["\(entry.table) \(entry.name)"],
      expected.definition != entry.definition
    else { return entry }
    do {
      let texts = try [expected, entry].map { try read($0, on: connection) }
      return texts[0] == texts[1] ? expected : entry
    } catch let error as PostgresError where !error.isConnectionLost {
      // The role may make no temporary table, or the condition names a column that is not there.
      return entry
    }
  }

  /// A condition as the server writes it when it has read it.
  private func read(_ condition: CatalogueEntry, on connection: Connection) throws -> String {
    try connection.transaction {
      try connection.run(
        DiagnosisStatement.copyColumns, Parameters(), ["table": .name(condition.table)])
      try connection.run(
        DiagnosisStatement.stateCondition, Parameters(),
        [
          "name": .name(condition.name),
          "condition": .expression(SQLExpression(unsafeSQL: condition.definition)),
        ])
      return try connection.text(DiagnosisStatement.readCondition)
    }
  }

  private static let expectedConditions = Dictionary(
    uniqueKeysWithValues: expectedCatalogue.filter { $0.kind == .constraint }.map {
      ("\($0.table) \($0.name)", $0)
    })

  /// Input tables that Vigil did not make: views, tables without its policy, or none.
  private static func foreignInputs(in found: [CatalogueEntry]) -> Set<String> {
    let own = found.filter { $0.kind == .policy && $0.name == "vigil_owner" }.map(\.table)
    return Set(InputTable.ofRuns.map(\.name)).subtracting(own)
  }

  /// The entries of the schema.
  func catalogue(_ connection: Connection) throws -> [CatalogueEntry] {
    try connection.rows(
      DiagnosisStatement.listCatalogue, Parameters { $0.put(schema) }, database: displayName
    ) { row in
      let kind: CatalogueEntry.Kind = try row.word()
      return CatalogueEntry(kind, of: row.text(), named: row.text(), row.text())
    }
  }

  /// The entries that the migrations make of an empty schema; a test keeps the file in line with
  /// them.
  static let expectedCatalogue = PackageResources.expected_catalogue_tsv.split(separator: "\n")
    .compactMap { CatalogueEntry(String($0)) }

  // MARK: Damage

  /// Compares each index of the schema with its table, where the server has what that takes.
  func integrityFindings(_ connection: Connection) throws -> [Finding] {
    let extensionSchema = try connection.text(DiagnosisStatement.findIndexChecker)
    guard !extensionSchema.isEmpty else {
      return [
        Finding(
          check: "integrity", status: .warning,
          detail: "not checked: the extension amcheck is not installed",
          remedy: "CREATE EXTENSION amcheck; as an administrator")
      ]
    }
    let indexes = try connection.rows(DiagnosisStatement.listIndexes, database: displayName) {
      (id: try $0.int(), name: $0.text())
    }
    var damaged: [String] = []
    for index in indexes {
      do {
        try connection.run(
          DiagnosisStatement.checkIndex, Parameters { $0.put(index.id) },
          ["index_checker": .expression(SQLExpression(unsafeSQL: extensionSchema))])
      } catch let error as PostgresError where error.sqlState?.hasPrefix("XX") ?? false {
        damaged.append(index.name)
      } catch let error as PostgresError where error.sqlState == "42501" {
        return [
          Finding(
            check: "integrity", status: .warning,
            detail: "not checked: this role may not use the extension amcheck",
            remedy: .advice(
              "GRANT EXECUTE ON FUNCTION \(extensionSchema).bt_index_check(regclass, boolean)"
                + " TO CURRENT_ROLE; as an administrator, with the name of this role"))
        ]
      }
    }
    guard damaged.isEmpty else {
      return [
        Finding(
          check: "integrity", status: .failure,
          detail: "damaged indexes: \(damaged.joined(separator: ", "))",
          remedy: .advice(
            damaged.map { "REINDEX INDEX \(schema.quotedIdentifier).\($0);" }
              .joined(separator: " ") + " If it is damaged again, restore a backup of the server"))
      ]
    }
    return [
      Finding(
        check: "integrity", status: .ok,
        detail: "each of \(indexes.count) indexes agrees with its table")
    ]
  }
}
