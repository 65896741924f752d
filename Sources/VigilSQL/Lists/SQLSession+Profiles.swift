import VigilModel
import VigilStorage

extension SQLSession {
  /// The settings files that the database's rows are made with.
  func databaseProfiles() throws -> [DatabaseProfile] {
    try rows(ProfileStatement.listDatabaseProfiles) {
      try DatabaseProfile(
        part: $0.word(), profile: Profile(version: $0.text(), digest: $0.text()),
        adoptedAt: $0.timestamp(), settlesOn: $0.dayIfPresent())
    }
  }

  /// The profiles that active alerts were found with.
  func activeProfiles() throws -> [ActiveProfile] {
    try rows(ProfileStatement.listActiveProfiles) {
      try ActiveProfile(
        profile: Profile(version: $0.text(), digest: $0.text()), alerts: $0.int())
    }
  }
}
