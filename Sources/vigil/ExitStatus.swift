/// The exit status of the process; numbers of `sysexits.h`, and 128 + signal for the last two.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  case usage = 64
  case badData = 65
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case tryAgain = 75
  case permissionDenied = 77
  case interrupted = 130
  case terminated = 143

  var meaning: String {
    switch self {
    case .success: "done"
    case .usage: "bad usage or setting"
    case .badData: "bad input data, thresholds or config file"
    case .unavailable:
      "database missing, unreachable or not migrated, time zone rules missing, or no notification"
        + " of a channel delivered"
    case .internalError: "not enough memory, or an internal error"
    case .cannotCreate: "cannot write the database or another output"
    case .tryAgain:
      "try again later: the lock is held, notifications are held back, the clock is set back, or a"
        + " first live run needs vigil golive"
    case .permissionDenied: "permission denied by the database, or no member of the family"
    case .interrupted: "interrupted (SIGINT)"
    case .terminated: "terminated (SIGTERM)"
    }
  }
}
