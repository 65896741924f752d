/// Digests of what a night has seen of persons of whom it has found nothing.
///
/// The SQL is in `Statements/calm.sql`.
public enum CalmStatement: String, StatementName {
  case insertCalmDigests
  case listCalmDigests
  case removeCalmDigests

  public static let files = StatementFiles([PackageResources.calm_sql])
}
