import PostgresTestServer

/// The kinds of database that Vigil runs on; tests that take one run on each.
public enum DatabaseKind: String, CaseIterable, Sendable {
  case sqlite
  case postgres

  /// A place for a database of this kind that nothing else uses, without any table yet.
  ///
  /// - Parameter folder: Where a kind that is a file puts it, as `vigil.sqlite`.
  public func makeDatabase(in folder: String) throws -> TestDatabase {
    switch self {
    case .sqlite: .sqlite(path: "\(folder)/vigil.sqlite")
    case .postgres: try .postgres(PostgresSchema())
    }
  }
}
