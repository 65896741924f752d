import TestSupport

/// A database that was filled once and is copied for each test.
///
/// A copy takes a tenth of the time of the migrations, whose SQL has 4,400 lines.
struct TemplateDatabase: Sendable {
  let database: String
  let schema: String
}

extension PostgresServer {
  /// Keeps a database that others are copies of, unless there is one of that name.
  ///
  /// - Parameters:
  ///   - name: The name of the template; the same name means the same contents.
  ///   - make: Gives the template, a schema of `init(inNewDatabaseOf:)` or a copy of another template; no
  ///     session on its database may be left.
  /// - Throws: What `make` throws.
  public func keepTemplate(
    _ name: String, madeBy make: (PostgresServer) throws -> PostgresSchema
  ) throws {
    _ = try template(name, madeBy: make)
  }

  fileprivate func template(
    _ name: String, madeBy make: (PostgresServer) throws -> PostgresSchema
  ) throws -> TemplateDatabase {
    try templates.value(of: name) {
      let schema = try make(self)
      // A database with sessions cannot be copied.
      schema.closeSessions()
      schema.stay()
      return TemplateDatabase(database: schema.database, schema: schema.name)
    }
  }
}

extension PostgresSchema {
  /// The schema of a new database that is a copy of a template, which the first one to need it fills.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - server: Where it is; nil for the server that tests share.
  ///   - make: Gives the template, as `keepTemplate` takes it.
  /// - Throws: `PostgresServer.Failure` where there is no server; what `make` throws.
  public convenience init(
    copyOf name: String, on server: PostgresServer? = nil,
    madeBy make: (PostgresServer) throws -> PostgresSchema
  ) throws {
    let server = try server ?? .shared()
    try self.init(inNewDatabaseOf: server, copyOf: server.template(name, madeBy: make))
  }
}
