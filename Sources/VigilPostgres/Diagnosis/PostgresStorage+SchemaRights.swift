import VigilSQL
import VigilStorage

extension PostgresStorage {
  /// The finding about logins that have nothing to do with Vigil.
  ///
  /// They hear when there are events (`LISTEN`), see which locks are held, and can keep the server busy.
  func connectionFinding(_ connection: Connection) throws -> Finding {
    guard try connection.text(DiagnosisStatement.findPublicConnection) != "false" else {
      return Finding(
        check: "connections", status: .ok, detail: "only logins that were named may connect")
    }
    let database = try connection.text(DiagnosisStatement.findQuotedDatabase)
    return Finding(
      check: "connections", status: .warning,
      detail:
        "every login of the server may connect to the database \(database), and hear when there are"
        + " events and locks",
      remedy: .advice(
        "REVOKE CONNECT ON DATABASE \(database) FROM PUBLIC; GRANT CONNECT ON DATABASE \(database) TO"
          + " vigil_engine, vigil_backfill, vigil_sender, vigil_reader, vigil_eraser, vigil_receiver;"
      ))
  }

  /// The findings about other roles that may create objects in the schema.
  ///
  /// Vigil calls none of them, but the SQL of others that searches the schema may.
  func schemaFindings(_ connection: Connection) throws -> [Finding] {
    guard try connection.hasSchema() else { return [] }
    let creators = try connection.rows(DiagnosisStatement.listCreators, database: displayName) {
      $0.text()
    }
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
