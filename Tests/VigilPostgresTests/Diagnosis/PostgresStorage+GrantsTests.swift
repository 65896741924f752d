import Foundation
import GoldenFiles
import PostgresTestServer
import Testing

/// The rights in a migrated schema: every grant and policy of the catalogue, each with its reason.
///
/// `Snapshots/rights.txt` holds a line for each, `GRANT OR POLICY  -- REASON`. With
/// `VIGIL_RECORD_SNAPSHOTS=1` it is written anew, known lines with their reasons and new ones without, and
/// the test fails.
@Suite("PostgreSQL: the matrix of rights")
struct PostgresStorageGrantsTests {
  private static let file = goldenFile("rights.txt")

  @Test("every grant and every policy is known and has a reason")
  func matrix() throws {
    let found = try rights()
    let known = try Self.recorded()
    if ProcessInfo.processInfo.environment["VIGIL_RECORD_SNAPSHOTS"] == "1" {
      let lines = found.map { "\($0)  -- \(known[$0] ?? "")\n" }
      try Data(lines.joined().utf8).write(to: Self.file)
      Issue.record("recorded rights.txt; write the reasons of new lines and commit it")
      return
    }
    #expect(found.filter { known[$0] == nil } == [], "not in the golden file")
    #expect(known.keys.filter { !found.contains($0) }.sorted() == [], "only in the golden file")
    for (right, reason) in known {
      #expect(reason.split(separator: " ").count >= 3, "no reason: \(right)")
    }
  }

  /// Reasons by line.
  private static func recorded() throws -> [String: String] {
    guard let data = try? Data(contentsOf: file) else { return [:] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map { line in
      let parts = line.split(separator: "  -- ", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return Dictionary(lines) { first, _ in first }
  }

  private func rights() throws -> [String] {
    let schema = try FamilySchema().schema
    return try SchemaSession(schema).lines(
      """
      WITH own AS (
        SELECT oid, nspowner, nspacl FROM pg_namespace WHERE nspname = current_schema()
      ), entry AS (
        SELECT 'schema' AS object, entry.* FROM own,
          aclexplode(coalesce(nspacl, acldefault('n', nspowner))) AS entry
        WHERE entry.grantee <> nspowner
        UNION ALL
        SELECT relname, entry.* FROM own, pg_class, aclexplode(coalesce(
          relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))) AS entry
        WHERE relnamespace = own.oid AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
          AND entry.grantee <> relowner
        UNION ALL
        SELECT format('%s(%s)', proname, oidvectortypes(proargtypes)), entry.*
        FROM own, pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) AS entry
        WHERE pronamespace = own.oid AND entry.grantee <> proowner
      ), of_column AS (
        SELECT relname AS object, entry.grantee, entry.privilege_type,
          string_agg(attname, ', ' ORDER BY attnum) AS columns
        FROM own JOIN pg_class ON relnamespace = own.oid JOIN pg_attribute ON attrelid = pg_class.oid,
          aclexplode(attacl) AS entry
        WHERE attacl IS NOT NULL
        GROUP BY relname, entry.grantee, entry.privilege_type
      ), role AS (
        SELECT oid, rolname::text AS name FROM pg_roles UNION ALL SELECT 0, 'PUBLIC'
      ), line AS (
        SELECT format('%s: %s %s', object, role.name, privilege_type) AS line
        FROM entry JOIN role ON role.oid = entry.grantee
        UNION ALL
        SELECT format('%s: %s %s (%s)', object, role.name, privilege_type, columns)
        FROM of_column JOIN role ON role.oid = of_column.grantee
        UNION ALL
        SELECT format(
          '%s: policy %s for %s to %s%s%s', tablename, policyname, cmd,
          array_to_string(ARRAY(SELECT unnest(roles) ORDER BY 1), ', '),
          ' using ' || regexp_replace(qual, '\\s+', ' ', 'g'),
          ' check ' || regexp_replace(with_check, '\\s+', ' ', 'g'))
        FROM pg_policies WHERE schemaname = current_schema()
      )
      SELECT line FROM line ORDER BY line COLLATE "C"
      """)
  }
}
