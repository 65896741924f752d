/// Every setting; its raw value is its key in a config file.
enum Setting: String, CaseIterable, Sendable {
  case database
  case schema
  case databaseRetry = "database_retry"
  case thresholds
  case vitality
  case shadowMode = "shadow_mode"
  case timeZone = "time_zone"
  case maxBadRows = "max_bad_rows"
  case maxNotifications = "max_notifications"
  case metricsFile = "metrics_file"
  case format
  case logLevel = "log_level"
  case color
  case quiet

  /// The texts and names of a setting, for settings, help and `vigil config`.
  struct Definition: Sendable {
    var environment: String
    var defaultText: String
    /// The allowed values, for messages about other values.
    var allowed: String
    var explanation: String
    var kind: Kind = .text
  }

  /// The form of the value in a config file; text is always possible.
  enum Kind: Sendable {
    case text
    case number
    case boolean
  }

  var definition: Definition {
    switch self {
    case .database:
      Definition(
        environment: "VIGIL_DATABASE", defaultText: "sqlite:vigil.sqlite",
        allowed: "sqlite:PATH or postgres://HOST/NAME", explanation: "where the tables are")
    case .schema:
      Definition(
        environment: "VIGIL_SCHEMA", defaultText: "public",
        allowed: "the name of a schema", explanation: "which schema of a PostgreSQL database")
    case .databaseRetry:
      Definition(
        environment: "VIGIL_DATABASE_RETRY", defaultText: "60",
        allowed: "seconds, from 0 to 86400",
        explanation: "how long a PostgreSQL server that is away is waited for", kind: .number)
    case .thresholds:
      Definition(
        environment: "VIGIL_THRESHOLDS", defaultText: "auto",
        allowed: "auto, v1, v2 (as shipped) or a file",
        explanation:
          "when a day deviates; auto is what the database's alerts were found with, and v1 in"
          + " a new one")
    case .vitality:
      Definition(
        environment: "VIGIL_VITALITY", defaultText: "auto",
        allowed: "auto, vitality.v1, vitality.v2 (as shipped) or a file",
        explanation:
          "how scores and trends are found; auto is what the database's scores were computed"
          + " with, and in a new one vitality.v2 with thresholds v2, else vitality.v1")
    case .shadowMode:
      Definition(
        environment: "VIGIL_SHADOW_MODE", defaultText: "true",
        allowed: "false for live, anything else for shadow",
        explanation: "whether vigil run only records what it would send", kind: .boolean)
    case .timeZone:
      Definition(
        environment: "VIGIL_TIME_ZONE", defaultText: "UTC",
        allowed: "an IANA name such as Europe/Berlin",
        explanation: "whose yesterday a run evaluates")
    case .maxBadRows:
      Definition(
        environment: "VIGIL_MAX_BAD_ROWS", defaultText: "1%",
        allowed: "0% to 100%, or a fraction from 0 to 1",
        explanation: "the share of unusable rows that an import or a run accepts", kind: .number)
    case .maxNotifications:
      Definition(
        environment: "VIGIL_MAX_NOTIFICATIONS", defaultText: "5%",
        allowed: "a number, or a percentage of the persons",
        explanation: "notifications that a live run sends without asking; 100 are always allowed"
          + " where it is a percentage",
        kind: .number)
    case .metricsFile:
      Definition(
        environment: "VIGIL_METRICS_FILE", defaultText: "none", allowed: "a file, or none",
        explanation: "where runs leave their figures for Prometheus")
    case .format:
      Definition(
        environment: "VIGIL_FORMAT", defaultText: "text", allowed: "text or json",
        explanation: "how results are written")
    case .logLevel:
      Definition(
        environment: "VIGIL_LOG_LEVEL", defaultText: "notice",
        allowed: "trace, debug, info, notice, warning, error or critical",
        explanation: "the least important log lines to write")
    case .color:
      Definition(
        environment: "VIGIL_COLOR", defaultText: "auto", allowed: "auto, always or never",
        explanation: "whether severities are coloured; NO_COLOR means never")
    case .quiet:
      Definition(
        environment: "VIGIL_QUIET", defaultText: "false", allowed: "true or false",
        explanation: "no progress, and only errors on stderr", kind: .boolean)
    }
  }
}
