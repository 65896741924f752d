import PostgresTestServer
import StorageConformance
import TestDatabases
import VigilPostgres
import VigilSQL
import VigilStorage

/// A migrated schema of its own on the server that tests share.
struct PostgresFixture: StorageFixture {
  let schema: PostgresSchema
  let storage: any Storage

  /// - Parameter server: Where it is; nil for the server that tests share.
  init(on server: PostgresServer? = nil) throws {
    schema = try .migrated(on: server)
    storage = try PostgresStorage(url: schema.url, schema: schema.name)
  }

  /// A statement of the module as the session of this schema takes it.
  func rendered(_ sql: String) -> String {
    SQLTemplate(schema: schema.name, dialect: .postgres).render(sql)
  }

  func reopened() throws -> any Storage {
    try PostgresStorage(url: schema.url, schema: schema.name)
  }

  func execute(_ sql: String) throws {
    try schema.withSession { try $0.execute(sql) }
  }

  func executeWithoutReferences(_ sql: String) throws {
    try schema.withSession { try $0.executeWithoutReferences(sql) }
  }

  func strings(_ sql: String) throws -> [String?] {
    try schema.withSession { try $0.rows(sql) }.values.map { $0[0] }
  }
}
