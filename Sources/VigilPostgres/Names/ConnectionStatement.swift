import VigilSQL

/// Sessions, and what a session asks of the schema before it reads or writes.
///
/// The SQL is in `Statements/connections.sql` and `relations.sql`.
enum ConnectionStatement: String, StatementName {
  case setUpSession
  case nameSession
  case nameTransaction
  case setViewer
  case findServerProcess
  case exportSnapshot
  case setProbe
  case readProbe
  case lockRuns
  case lockPersons
  case lockPersonsShared
  case lockMigrations
  case findSchema
  case createSchema
  case listColumns
  case findKind
  case listenToQueue

  static let files = StatementFiles(
    [PackageResources.relations_sql, PackageResources.connections_sql])
}
