import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// What the present role lacks to import, and the SQL with which the owner of the tables gives it.
  struct ImportRights {
    /// Empty where the role lacks nothing.
    var statements: [String] = []
    /// Whether the role may write to one of the tables all the same: it is meant to import.
    var isPartial = false
    var owner = ""

    /// What to do where they are missing.
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
    let role = try connection.text("SELECT quote_ident(current_user::text)")
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
      """
      SELECT
        (NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
          AND has_table_privilege(c.oid, 'UPDATE')))::text,
        (row_security_active(c.oid) AND EXISTS (
          SELECT FROM unnest(ARRAY['r', 'a', 'w']) AS verb
          WHERE NOT EXISTS (
            SELECT FROM pg_policy AS policy
            WHERE policy.polrelid = c.oid AND policy.polpermissive
              AND policy.polcmd::text IN ('*', verb)
              AND coalesce(
                pg_get_expr(policy.polwithcheck, policy.polrelid),
                pg_get_expr(policy.polqual, policy.polrelid)
              ) = 'true'
              AND EXISTS (
                SELECT FROM unnest(policy.polroles) AS member
                WHERE member = 0 OR pg_has_role(member, 'USAGE')
              )
          )
        ))::text,
        has_table_privilege(c.oid, 'INSERT')::text,
        quote_ident(pg_get_userbyid(c.relowner)::text)
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2
      """,
      Parameters {
        $0.put(schema)
        $0.put(name)
      },
      place: .init(
        database: displayName, table: "pg_class")
    ) { row in
      TableRights(
        lacksPrivileges: row.text() == "true", lacksPolicy: row.text() == "true",
        mayWrite: row.text() == "true", owner: row.text())
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
