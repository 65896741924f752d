import PostgresTestServer
import VigilSQL
import VigilStorage

/// A superuser's connection that sees one schema, and keeps it from being dropped.
final class SchemaSession {
  private let schema: PostgresSchema
  let session: PostgresSession

  init(_ schema: PostgresSchema) throws {
    self.schema = schema
    session = try schema.session()
  }

  deinit {
    // The schema could not be dropped before the end of a transaction that has used it.
    try? session.execute("ROLLBACK")
  }

  /// Runs statements separated by semicolons, in one transaction unless they say otherwise.
  func execute(_ sql: String) throws {
    try session.execute(sql)
  }

  /// A statement of the module as this session takes it.
  func rendered(_ sql: String) -> String {
    SQLTemplate(schema: schema.name, dialect: .postgres).render(sql)
  }

  /// The values of a query, columns joined by a blank, NULL left out.
  func lines(_ query: String) throws -> [String] {
    try session.rows(query).values.map { $0.compactMap { $0 }.joined(separator: " ") }
  }

  /// SQLSTATE and message with which a statement fails; nil where it does not.
  func refusal(of sql: String) throws -> String? {
    do {
      try execute(
        """
        DO $do$
        BEGIN
          EXECUTE $sql$\(sql)$sql$;
        EXCEPTION WHEN OTHERS THEN
          RAISE EXCEPTION 'refused: % %', SQLSTATE, SQLERRM;
        END
        $do$
        """)
      return nil
    } catch let failure as PostgresSession.Failure {
      let line = failure.description.prefix { $0 != "\n" }
      guard let mark = line.firstRange(of: "refused: ") else { throw failure }
      return String(line[mark.upperBound...])
    }
  }
}
