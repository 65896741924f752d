/// Limits of values of single persons.
///
/// The SQL is in `Statements/limits.sql`.
public enum LimitStatement: String, StatementName {
  case listLimitedPersons
  case addLimit
  case endLimit
  case removeLimit

  public static let files = StatementFiles([PackageResources.limits_sql])
}
