public import VigilModel

/// One row of `database_profile`: the settings file that rows of one kind are made with.
public struct DatabaseProfile: Hashable, Sendable {
  public static let table = "database_profile"

  /// What of a run the file decides about: `patterns` (a thresholds file) or `vitality`.
  public var part: RunPart
  public var profile: Profile
  public var adoptedAt: Timestamp
  /// Until a nightly run of everybody has succeeded for this day or a later one, runs notify nobody and
  /// count what is going on as told.
  ///
  /// Nil where that is over, and where the profile was the database's first.
  public var settlesOn: Day?

  public init(part: RunPart, profile: Profile, adoptedAt: Timestamp, settlesOn: Day? = nil) {
    self.part = part
    self.profile = profile
    self.adoptedAt = adoptedAt
    self.settlesOn = settlesOn
  }
}

/// The active alerts of one profile.
public struct ActiveProfile: Hashable, Sendable {
  public var profile: Profile
  public var alerts: Int

  public init(profile: Profile, alerts: Int) {
    self.profile = profile
    self.alerts = alerts
  }
}

extension Storage {
  /// The settings files that the database's rows are made with; none in a database without runs.
  public func databaseProfiles() throws -> [DatabaseProfile] {
    try rows(DatabaseProfile.all) { try DatabaseProfile.decode($0) }
  }

  /// The profiles that active alerts were found with, by id; more than one says that two were mixed.
  public func activeProfiles() throws -> [ActiveProfile] {
    try rows(ActiveProfile.all) { try ActiveProfile.decode($0) }
  }
}

// MARK: Statements

extension DatabaseProfile {
  private static let columns = ["part", "version", "digest", "adopted_at", "settles_on"]

  static let all = BoundStatement(
    "SELECT \(columns.joined(separator: ", ")) FROM {{schema}}.\(table) ORDER BY part", [],
    table: table, columns: columns)

  static func decode(_ row: some RowReader) throws -> DatabaseProfile {
    var row = row
    return try DatabaseProfile(
      part: row.word(), profile: Profile(version: row.text(), digest: row.text()),
      adoptedAt: row.timestamp(), settlesOn: row.dayIfPresent())
  }

  /// Records the first profile of a part.
  var insertion: BoundStatement {
    BoundStatement(
      """
      INSERT INTO {{schema}}.\(Self.table) (part, profile, version, digest, adopted_at, settles_on)
      VALUES ($1, $2, $3, $4, $5, $6)
      """, values, table: Self.table)
  }

  /// Puts the profile in the place of another.
  var replacement: BoundStatement {
    BoundStatement(
      """
      UPDATE {{schema}}.\(Self.table)
      SET profile = $2, version = $3, digest = $4, adopted_at = $5, settles_on = $6
      WHERE part = $1
      """, values, table: Self.table)
  }

  private var values: [InputValue] {
    [
      .text(part.rawValue), .text(profile.id), .text(profile.version), .text(profile.digest),
      .timestamp(adoptedAt), settlesOn.map { .day($0) } ?? .null,
    ]
  }

  /// Ends the silence after a switch, where a run has gone far enough.
  static func settle(on day: Day) -> BoundStatement {
    BoundStatement(
      "UPDATE {{schema}}.\(table) SET settles_on = NULL WHERE part = 'patterns' AND settles_on <= $1",
      [.day(day)], table: table)
  }

  /// The newest day that any run was about.
  static let newestDay = BoundStatement(
    "SELECT max(to_date) FROM {{schema}}.\(RunRow.table)", [], table: RunRow.table,
    columns: ["to_date"])
}

extension ActiveProfile {
  private static let columns = ["thresholds_version", "thresholds_digest", "count"]

  static let all = BoundStatement(
    """
    SELECT thresholds_version, thresholds_digest, count(*) FROM {{schema}}.\(AlertStateRow.table)
    WHERE episode_status = 'active'
    GROUP BY profile, thresholds_version, thresholds_digest ORDER BY profile
    """, [], table: AlertStateRow.table, columns: columns)

  static func decode(_ row: some RowReader) throws -> ActiveProfile {
    var row = row
    return try ActiveProfile(
      profile: Profile(version: row.text(), digest: row.text()), alerts: row.int())
  }

  /// Ends the active episodes of every other profile, on the last day of `run` or, where they were
  /// evaluated later, on that day.
  static func end(allBut profile: Profile, by run: RunRecord, at now: Timestamp) -> BoundStatement {
    let day = "CASE WHEN last_evaluated_date > $2 THEN last_evaluated_date ELSE $2 END"
    return BoundStatement(
      """
      UPDATE {{schema}}.\(AlertStateRow.table)
      SET episode_status = 'resolved', resolution_reason = 'profile_changed',
        resolved_on = \(day), last_evaluated_date = \(day),
        run_id = $3, computed_at = $4, updated_at = $4
      WHERE episode_status = 'active' AND profile <> $1
      """, [.text(profile.id), .day(run.days.upperBound), .uuid(run.id), .timestamp(now)],
      table: AlertStateRow.table)
  }
}
