import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// The rights that the present role lacks to import, and the SQL with which the owner of the
  /// tables grants them.
  struct ImportRights {
    /// Empty where the role lacks nothing.
    var statements: [String] = []
    /// Whether the role may write to one of the tables all the same: it is meant to import.
    var isPartial = false
    var owner = ""

    /// The remedy where rights are missing.
    var remedy: String {
      "run the import as \(owner), the owner of the tables, or let this role import:"
        + " \(statements.joined(separator: " "))"
    }
  }

  /// Tables that an import writes and runs do not.
  private static let importedTables =
    InputTable.all.map(\.name).filter { $0 != InputTable.vitalityScores.name }

  func importRights(_ connection: Connection) throws -> ImportRights {
    var rights = ImportRights()
    let role = try connection.quotedRole()
    var lacking: [String] = []
    var policies: [String] = []
    for name in Self.importedTables + [InputTable.vitalityScores.name, QuarantinedRow.table] {
      let found = try tableRights(of: name, connection)
      if !found.owner.isEmpty { rights.owner = found.owner }
      let table = "\(schema.quotedIdentifier).\(name.quotedIdentifier)"
      if found.lacksPrivileges { lacking.append(table) }
      if found.lacksPolicy {
        policies.append("CREATE POLICY \(role) ON \(table) TO \(role) USING (TRUE);")
      }
      if Self.importedTables.contains(name), found.mayWrite { rights.isPartial = true }
    }
    if !lacking.isEmpty {
      rights.statements.append(
        "GRANT SELECT, INSERT, UPDATE ON \(lacking.joined(separator: ", ")) TO \(role);")
    }
    rights.statements += policies + (try ledgerStatements(role, connection))
    return rights
  }

  private struct TableRights {
    var lacksPrivileges: Bool
    /// Whether row-level security keeps the role from reading, inserting or updating.
    var lacksPolicy: Bool
    var mayWrite: Bool
    var owner: String
  }

  /// Nothing is lacking of a table that is not there.
  private func tableRights(of name: String, _ connection: Connection) throws -> TableRights {
    let rows = try connection.rows(
      DiagnosisStatement.findImportRights, Parameters { $0.put(name) }, database: displayName
    ) { row in
      try TableRights(
        lacksPrivileges: row.bool(), lacksPolicy: row.bool(), mayWrite: row.bool(),
        owner: row.text())
    }
    return rows.first
      ?? TableRights(lacksPrivileges: false, lacksPolicy: false, mayWrite: false, owner: "")
  }

  /// An import looks whether the schema is of its own version.
  private func ledgerStatements(_ role: String, _ connection: Connection) throws -> [String] {
    guard (try? requireCurrentSchema()) == nil else { return [] }
    let table = "\(schema.quotedIdentifier).schema_migrations"
    return [
      "GRANT SELECT ON \(table) TO \(role);",
      "CREATE POLICY \(role) ON \(table) FOR SELECT TO \(role) USING (TRUE);",
    ]
  }
}
