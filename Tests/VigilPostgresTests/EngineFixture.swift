import Foundation
import PostgresTestServer
import StorageConformance
import VigilModel
import VigilPostgres
import VigilStorage

/// A migrated schema in which everything but migrations and imports is done by a login role that is
/// no more than a member of `vigil_engine`.
struct EngineFixture: StorageFixture {
  let schema: PostgresSchema
  let storage: any Storage

  init() throws {
    let owned = try PostgresFixture()
    schema = owned.schema
    storage = EngineStorage(owner: owned.storage, engine: try Self.connect(to: schema))
  }

  func reopened() throws -> any Storage {
    EngineStorage(
      owner: try PostgresStorage(url: schema.url, schema: schema.name),
      engine: try Self.connect(to: schema))
  }

  func execute(_ sql: String) throws {
    try schema.session().execute(sql)
  }

  func executeWithoutReferences(_ sql: String) throws {
    try schema.session().executeWithoutReferences(sql)
  }

  func strings(_ sql: String) throws -> [String?] {
    try schema.session().rows(sql).values.map { $0[0] }
  }

  private static func connect(to schema: PostgresSchema) throws -> PostgresStorage {
    try login.get()
    return try PostgresStorage(url: schema.server.url(as: "nightly"), schema: schema.name)
  }

  /// Made once on the server that tests share.
  private static let login = Result {
    try PostgresSession(url: PostgresServer.shared().url(as: "postgres"))
      .execute("CREATE ROLE nightly LOGIN IN ROLE vigil_engine")
  }
}

/// Migrates and imports as the owner of the schema, and does all the rest as the engine.
private struct EngineStorage: ForwardingStorage {
  let owner: any Storage
  let engine: any Storage

  var base: any Storage { engine }

  func migrate(at now: Timestamp) throws -> MigrationOutcome { try owner.migrate(at: now) }

  func migrateDown(count: Int, at now: Timestamp) throws -> MigrationOutcome {
    try owner.migrateDown(count: count, at: now)
  }

  func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result {
    try owner.importRows(body)
  }
}
