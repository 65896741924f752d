/// An error of the server or the connection, before it is put into words for an operator.
struct PostgresError: Error, Sendable {
  /// Five characters (PostgreSQL documentation, appendix A); nil where the connection itself failed.
  var sqlState: String?
  /// The primary message in one line; without detail, which quotes rows.
  var message: String
  /// The proposal of the server, or of one of the migrations.
  var hint: String?
  var table: String?
  var constraint: String?
  /// Whether the connection is gone or of no use any more.
  var isConnectionLost = false
  /// Whether no server answers at its address; a wrong name, certificate or password is another
  /// error.
  var isServerAway = false

  private var stateClass: String { String(sqlState?.prefix(2) ?? "") }

  /// Whether the same thing may succeed in a new transaction, on a new connection if need be.
  var isTransient: Bool {
    switch sqlState {
    case nil: isConnectionLost
    // Serialization failure, deadlock, server stopping, crashed or starting, too many connections.
    case "40001", "40P01", "57P01", "57P02", "57P03", "53300": true
    default: stateClass == "08"
    }
  }

  /// Whether a row was there already.
  var isUniqueViolation: Bool { sqlState == "23505" }

  /// Whether a schema or table was there already; of two sessions that make one at once, the second gets an error of the catalogue.
  var isOfAnObjectThatExists: Bool {
    isUniqueViolation || sqlState == "42P06" || sqlState == "42P07"
  }

  /// Whether another session holds a lock that was not to be waited for.
  var isLockTaken: Bool { sqlState == "55P03" }

  /// Whether the message may quote a value: conversions do, and so does what a function raises.
  var mayQuoteValues: Bool { stateClass == "22" || stateClass == "P0" }
}
