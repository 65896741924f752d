import Foundation
import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func diagnose(fully isFull: Bool) -> [Finding] {
    do {
      return try withConnection { connection in
        let isCurrent = (try? requireCurrentSchema()) != nil
        var findings = [
          finding("server") { try serverFinding(connection) },
          finding("role") { try roleFinding(connection) },
          finding("connections") { try connectionFinding(connection) },
          finding("schema") { try ledger().finding(backup: "a pg_dump of it") },
        ]
        findings += findingsOrFailure("texts") {
          try requireTexts(of: connection)
          return []
        }
        findings += findingsOrFailure("schema rights") { try schemaFindings(connection) }
        findings += findingsOrFailure("pooler") { try [poolerFinding(connection)] }
        findings += findingsOrFailure("grants") { try grantFindings(connection) }
        findings += findingsOrFailure("inputs") { try inputFindings(connection) }
        if isFull {
          findings += findingsOrFailure("integrity") { try integrityFindings(connection) }
        }
        if isCurrent {
          findings += findingsOrFailure("catalogue") { try differenceFindings(connection) }
          findings += findingsOrFailure("indexes") { try indexFindings(connection) }
          findings += findingsOrFailure("row-level security") { try catalogueFindings(connection) }
          findings += findingsOrFailure("metrics") { try metricsFindings(connection) }
          findings += findingsOrFailure("medications") {
            let count = try medicationsOfUnknownPersons(connection).count
            return count > 0 ? [.onMedicationsOfUnknownPersons(count)] : []
          }
        }
        findings += findingsOrFailure("run lock") {
          try lockFindings(connection, asksRuns: isCurrent)
        }
        return findings
      }
    } catch {
      return [failure("database", error)]
    }
  }

  private func finding(_ check: String, _ body: () throws -> Finding) -> Finding {
    do {
      return try body()
    } catch {
      return failure(check, error)
    }
  }

  private func findingsOrFailure(_ check: String, _ body: () throws -> [Finding]) -> [Finding] {
    do {
      return try body()
    } catch {
      return [failure(check, error)]
    }
  }

  private func failure(_ check: String, _ error: any Error) -> Finding {
    switch error {
    case let error as StorageError:
      return Finding(check: check, status: .failure, detail: error.message, remedy: error.remedy)
    case let error as PostgresError:
      return failure(check, StorageError(error, database: displayName).asUnreachable)
    default:
      return Finding(check: check, status: .failure, detail: "\(error)")
    }
  }

  /// Refuses a database that cannot hold each character of a name, or whose functions would read backslashes in strings.
  ///
  /// SQL_ASCII holds bytes as they come.
  func requireTexts(of connection: Connection) throws {
    let encoding = try connection.text(DiagnosisStatement.findEncoding)
    guard encoding == "UTF8" || encoding == "SQL_ASCII" else {
      throw StorageError(
        .notADatabase,
        "\(displayName) has the encoding \(encoding), which cannot hold each character of a name",
        remedy: .advice(
          "create a database with ENCODING 'UTF8' TEMPLATE template0, and restore what is in this one into it"
        ))
    }
    guard try connection.text(DiagnosisStatement.findStringSetting) != "off" else {
      let name = try connection.text(DiagnosisStatement.findQuotedDatabase)
      throw StorageError(
        .notADatabase,
        "\(displayName) has standard_conforming_strings off, so that strings of functions change",
        remedy: .advice("ALTER DATABASE \(name) SET standard_conforming_strings = on;"))
    }
  }

  /// The oldest version that the SQL of this module is meant for.
  private static let oldestServer = 13

  private func serverFinding(_ connection: Connection) throws -> Finding {
    let version = connection.serverVersion / 10_000
    guard version >= Self.oldestServer else {
      return Finding(
        check: "server", status: .failure,
        detail: "PostgreSQL \(version) is older than \(Self.oldestServer)",
        remedy: "upgrade the server")
    }
    let name = try connection.text(DiagnosisStatement.findServerVersion)
    let isEncrypted = try connection.text(DiagnosisStatement.findEncryption)
    guard isEncrypted != "no encryption" || target.isLocal else {
      return Finding(
        check: "server", status: .warning,
        detail: "PostgreSQL \(name), \(displayName), over a network without encryption",
        remedy: "add ?sslmode=verify-full&sslrootcert=FILE to the URL")
    }
    return Finding(
      check: "server", status: .ok, detail: "PostgreSQL \(name), \(displayName), \(isEncrypted)")
  }

  private func roleFinding(_ connection: Connection) throws -> Finding {
    let role = try connection.text(DiagnosisStatement.findRole)
    let bypasses = try connection.text(DiagnosisStatement.findBypass)
    guard bypasses.isEmpty else {
      return Finding(
        check: "role", status: .warning,
        detail: "\(role) is \(bypasses): row-level security does not bind it",
        remedy: "CREATE ROLE vigil_nightly LOGIN IN ROLE vigil_engine; and log in as that role")
    }
    return Finding(check: "role", status: .ok, detail: role)
  }

  private func catalogueFindings(_ connection: Connection) throws -> [Finding] {
    let faults = try connection.rows(
      DiagnosisStatement.listCatalogueFaults, database: displayName
    ) { ($0.text(), $0.text()) }
    guard !faults.isEmpty else {
      return [
        Finding(
          check: "row-level security", status: .ok,
          detail: "forced on every table, with policies; no role gets round it")
      ]
    }
    return faults.map { kind, name in
      Finding(
        check: "row-level security", status: .failure,
        detail: "\(kind.replacingOccurrences(of: "_", with: " ")): \(name)",
        remedy: remedy(forFault: kind, name: name).map(Remedy.advice))
    }
  }

  /// - Parameter name: Of a table or role as it is; of a function as SQL writes it, without schema.
  private func remedy(forFault kind: String, name: String) -> String? {
    let schema = schema.quotedIdentifier
    let table = "\(schema).\(name.quotedIdentifier)"
    return switch kind {
    case "table_without_row_level_security": "ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;"
    case "table_without_forced_row_level_security": "ALTER TABLE \(table) FORCE ROW LEVEL SECURITY;"
    case "role_is_superuser": "ALTER ROLE \(name.quotedIdentifier) NOSUPERUSER;"
    case "role_bypasses_row_level_security": "ALTER ROLE \(name.quotedIdentifier) NOBYPASSRLS;"
    case "function_executable_by_public": "REVOKE ALL ON ROUTINE \(schema).\(name) FROM PUBLIC;"
    case "function_without_pinned_search_path":
      "ALTER ROUTINE \(schema).\(name) SET search_path = \(schema), pg_temp;"
    case "function_of_vigil_that_searches_schemas":
      "ALTER ROUTINE \(schema).\(name) SET search_path = \(Connection.searchPath);"
    default: nil
    }
  }

  private func metricsFindings(_ connection: Connection) throws -> [Finding] {
    let rights = try importRights(connection)
    guard let days = try metricDays() else {
      return [
        Finding(
          check: "metrics", status: .warning, detail: "\(MetricCopy.table) is empty",
          remedy: .importOrMakeView(rights: rights.statements.isEmpty ? nil : rights.remedy))
      ]
    }
    let metrics = Finding(
      check: "metrics", status: .ok, detail: "from \(days.lowerBound) to \(days.upperBound)")
    guard rights.isPartial, !rights.statements.isEmpty else { return [metrics] }
    return [
      metrics,
      Finding(
        check: "import rights", status: .warning,
        detail: "this role may write to some of the input tables, but not import",
        remedy: .advice(rights.remedy)),
    ]
  }
}
