import VigilStorage

extension StorageError {
  /// Puts an error of PostgreSQL into words for an operator.
  ///
  /// Holds the SQLSTATE, and the server's primary message where that cannot quote a value; never its
  /// detail, which shows rows.
  ///
  /// - Parameters:
  ///   - database: As messages name it.
  ///   - table: The table that was written to, where the server does not name it.
  init(_ error: PostgresError, database: String, table: String? = nil) {
    let state = error.sqlState.map { " (SQLSTATE \($0))" } ?? ""
    let said = error.mayQuoteValues ? "" : ": \(error.message)"
    let place = (error.table ?? table).map { "\($0) in \(database)" } ?? database
    switch error.sqlState ?? "" {
    case _ where error.isTransient:
      self.init(
        .transient, "\(database) was lost or gave way\(said)\(state)",
        remedy: "see that the server is up, then run the same command again")
    case let code where code.hasPrefix("28"):
      self.init(
        .permissionDenied, "\(database) refuses the login\(said)\(state)",
        remedy: "check the user, the passfile (PGPASSFILE) and the server's pg_hba.conf")
    case "3D000":
      self.init(
        .notFound, "\(database) does not exist\(state)",
        remedy: .createDatabaseOnServer)
    case "42501":
      self.init(
        .permissionDenied, "\(database) does not permit this\(said)\(state)",
        remedy: error.hint.map(Remedy.advice) ?? .listMissingRights)
    case "42P01", "3F000":
      self.init(
        .schemaNotCurrent, "\(database) lacks a table that Vigil needs\(said)\(state)",
        remedy: .migrateOrCorrectSchema)
    case "42P07":
      self.init(
        .schemaNotCurrent, "\(database) has a table in the way\(said)\(state)",
        remedy: error.hint.map(Remedy.advice))
    // Raised by migrations.
    case "55000":
      self.init(
        .constraint, "\(database) is not as this needs it\(said)\(state)",
        remedy: error.hint.map(Remedy.advice))
    case "42703":
      self.init(
        .schemaNotCurrent, "\(database) lacks a column that Vigil needs\(said)\(state)",
        remedy: .checkInputs)
    case let code where code.hasPrefix("23"):
      let constraint = error.constraint.map { " by the constraint \($0)" } ?? ""
      self.init(.constraint, "a row for \(place) was refused\(constraint)\(state)")
    case let code where code.hasPrefix("22"):
      self.init(
        .corrupt, "\(place) holds, or was given, a value of the wrong form\(state)",
        remedy: .checkColumns)
    case "53100":
      self.init(
        .diskFull, "the server of \(database) has no space left\(state)",
        remedy: "free some space there and run the command again; nothing of this step was kept")
    case "25006":
      self.init(
        .readOnly, "\(database) can only be read\(said)\(state)",
        remedy: .advice(
          "connect to the primary, not to a standby (target_session_attrs=read-write), or turn"
            + " default_transaction_read_only off"))
    case "55P03":
      self.init(
        .locked, "\(database) is busy\(said)\(state)",
        remedy: "try again when the other program is done; pg_stat_activity and pg_locks show it")
    case "57014":
      self.init(
        .unreachable, "\(database) cancelled a statement\(said)\(state)",
        remedy: "raise statement_timeout for the role that Vigil logs in as")
    case "XX001", "XX002":
      self.init(
        .corrupt, "\(database) is damaged\(said)\(state)", remedy: "restore a backup of the server")
    default:
      self.init(
        .unexpected, "\(database)\(said)\(state)", remedy: error.hint.map(Remedy.advice))
    }
  }

  /// For an operation that was retried for as long as is allowed.
  var asUnreachable: StorageError {
    guard code == .transient else { return self }
    return StorageError(.unreachable, message, remedy: remedy)
  }
}
