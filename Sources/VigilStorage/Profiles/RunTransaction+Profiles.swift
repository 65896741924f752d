public import VigilModel

/// What became of the profile of a database when a run began.
public struct ProfileSwitch: Hashable, Sendable {
  /// Nil where several were mixed, or none was recorded.
  public var from: Profile?
  public var to: Profile
  /// Active episodes of other profiles that ended with `profile_changed`.
  public var episodesEnded: Int

  public init(from: Profile?, to: Profile, episodesEnded: Int) {
    self.from = from
    self.to = to
    self.episodesEnded = episodesEnded
  }
}

extension RunTransaction {
  /// Refuses a run with other settings than the database's rows are made with (specification, runs.md,
  /// Profiles); writes nothing.
  ///
  /// Only the parts that the run evaluates are compared.
  ///
  /// - Parameters:
  ///   - isSwitching: Whether the run may take the place of other settings.
  ///   - database: As messages name it.
  /// - Throws: `StorageError` with `.otherProfile`.
  public func checkProfiles(of run: RunRecord, isSwitching: Bool, database: String) throws {
    guard !isSwitching else { return }
    let own = try databaseProfiles()
    for (part, wanted) in run.profiles {
      if let present = own[part]?.profile {
        guard present == wanted else {
          throw StorageError.otherProfile(wanted, than: present, for: part, in: database)
        }
      } else if part == .patterns {
        let others = try activeProfiles().filter { $0.profile != wanted }
        guard others.isEmpty else {
          throw StorageError.mixedProfiles(try activeProfiles(), in: database)
        }
      }
    }
  }

  /// Records the settings of a run that has begun as those of the database, where it has none or others,
  /// and gives what was switched.
  ///
  /// Active episodes of other profiles end, and nobody is told. Until a nightly run of everybody has
  /// caught up with the newest evaluated day, runs are silent; a run that begins in that time is marked so
  /// in `run`.
  ///
  /// - Throws: `StorageError` with `.permissionDenied` for a role that may not switch.
  public func adoptProfiles(
    of run: inout RunRecord, isSwitching: Bool, at now: Timestamp
  ) throws -> ProfileSwitch? {
    let own = try databaseProfiles()
    var switched: ProfileSwitch?
    for (part, wanted) in run.profiles {
      let present = own[part]
      let isOther = present?.profile != wanted
      var adopted = DatabaseProfile(part: part, profile: wanted, adoptedAt: now)
      if part == .patterns {
        var ended = 0
        if isSwitching {
          ended = try execute(ActiveProfile.end(allBut: wanted, by: run, at: now))
        }
        if isOther && (present != nil || ended > 0) {
          let newest =
            try rows(DatabaseProfile.newestDay) { row in
              var row = row
              return try row.dayIfPresent()
            }.first ?? nil
          adopted.settlesOn = max(newest ?? run.days.upperBound, run.days.upperBound)
          switched = ProfileSwitch(from: present?.profile, to: wanted, episodesEnded: ended)
        } else if ended > 0 {
          switched = ProfileSwitch(from: nil, to: wanted, episodesEnded: ended)
        }
        run.isSilent = run.isSilent || (isOther ? adopted : present)?.settlesOn != nil
      }
      guard isOther else { continue }
      try execute(present == nil ? adopted.insertion : adopted.replacement)
    }
    try put(run)
    return switched
  }

  /// Ends the silence after a switch, where a nightly run of everybody has caught up.
  func settleProfile(after run: RunRecord) throws {
    guard run.isSilent, run.kind == .run, run.selection == nil, run.status == .succeeded,
      run.parts.contains(.patterns)
    else { return }
    try execute(DatabaseProfile.settle(on: run.days.upperBound))
  }

  private func databaseProfiles() throws -> [RunPart: DatabaseProfile] {
    let profiles = try rows(DatabaseProfile.all) { try DatabaseProfile.decode($0) }
    return Dictionary(profiles.map { ($0.part, $0) }) { first, _ in first }
  }

  private func activeProfiles() throws -> [ActiveProfile] {
    try rows(ActiveProfile.all) { try ActiveProfile.decode($0) }
  }
}

extension RunRecord {
  /// The settings that decide what it writes.
  fileprivate var profiles: [(part: RunPart, profile: Profile)] {
    var profiles: [(part: RunPart, profile: Profile)] = []
    if parts.contains(.patterns) { profiles.append((.patterns, thresholds)) }
    if let vitality, parts.contains(.vitality) { profiles.append((.vitality, vitality)) }
    return profiles
  }
}

extension StorageError {
  fileprivate static func otherProfile(
    _ wanted: Profile, than present: Profile, for part: RunPart, in database: String
  ) -> StorageError {
    let (kind, option) =
      part == .vitality ? ("vitality settings", "vitality") : ("profile", "thresholds")
    let isEdited = wanted.version == present.version
    return StorageError(
      .otherProfile,
      "the rows of \(database) are made with \(kind) \(present.id), and this run has \(wanted.id)"
        + (isEdited ? ", a changed file of the same version" : "") + "; nothing was written",
      hint: isEdited
        ? "give --\(option) the file as it was, or --switch-profile to go on with the changed one"
        : "give --\(option) \(present.version), or --switch-profile to go on with \(wanted.version)"
    )
  }

  /// What a database needs whose alerts were found with several profiles.
  static func mixedProfiles(_ active: [ActiveProfile], in database: String) -> StorageError {
    let list = active.map { "\($0.alerts) of \($0.profile.id)" }.joined(separator: ", ")
    return StorageError(
      .otherProfile,
      "\(database) has active alerts of other profiles (\(list)), and none is recorded as its own;"
        + " nothing was written",
      hint:
        "choose one with --thresholds and --switch-profile: the alerts of the others end, and nobody"
        + " is notified")
  }
}
