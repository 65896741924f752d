/// The settings files that a database's rows are made with.
///
/// The SQL is in `Statements/profiles.sql` and `events.sql`.
public enum ProfileStatement: String, StatementName {
  case listDatabaseProfiles
  case insertDatabaseProfile
  case replaceDatabaseProfile
  case settleDatabaseProfile
  case listActiveProfiles
  case endEpisodesOfOtherProfiles
  case countActiveAsNotified

  public static let files = StatementFiles(
    [PackageResources.events_sql, PackageResources.profiles_sql])
}
