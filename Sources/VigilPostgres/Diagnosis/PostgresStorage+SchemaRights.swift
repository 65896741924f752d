import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// Who else may create objects in the schema.
  ///
  /// Vigil calls none of them, but the SQL of others that searches the schema may.
  func schemaFindings(_ connection: Connection) throws -> [Finding] {
    guard
      try connection.run("SELECT 1 FROM pg_namespace WHERE nspname = {{schema_name}}").rowCount > 0
    else { return [] }
    let creators = try connection.rows(
      """
      SELECT coalesce(quote_ident(role.rolname), 'PUBLIC')
      FROM pg_namespace AS own
      CROSS JOIN LATERAL aclexplode(coalesce(own.nspacl, acldefault('n', own.nspowner))) AS entry
      LEFT JOIN pg_roles AS role ON role.oid = entry.grantee
      WHERE own.nspname = {{schema_name}}
        AND entry.privilege_type = 'CREATE'
        AND entry.grantee <> own.nspowner
        -- Who makes Vigil's tables has to.
        AND entry.grantee <> coalesce((
          SELECT relowner FROM pg_class
          WHERE relname = 'schema_migrations' AND relnamespace = own.oid
        ), 0::oid)
        AND role.rolsuper IS NOT TRUE
      ORDER BY 1
      """,
      place: .init(database: displayName, table: "pg_namespace")
    ) { $0.text() }
    let name = schema.quotedIdentifier
    guard !creators.isEmpty else {
      return [
        Finding(
          check: "schema rights", status: .ok,
          detail: "only its owner creates objects in \(name)")
      ]
    }
    return creators.map { creator in
      Finding(
        check: "schema rights", status: .warning,
        detail: "\(creator == "PUBLIC" ? "every login" : creator) may create objects in the schema"
          + " \(name): SQL that searches it may call functions of theirs with the rights of its login",
        remedy: "REVOKE CREATE ON SCHEMA \(name) FROM \(creator);")
    }
  }
}
