public import VigilModel
public import VigilStorage

extension SQLRunTransaction {
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
          ended = try session.execute(
            ProfileStatement.endEpisodesOfOtherProfiles, wanted.id, run.days.upperBound, run.id, now
          )
          try removeProvisionalMarks(ofOtherProfilesThan: wanted)
          if ended > 0, run.kind == .run {
            try session.execute(PersonStatement.putEndsOfSwitch, run.id, now)
          }
        }
        if isOther && (present != nil || ended > 0) {
          let newest =
            try session.rows(RunStatement.findNewestRunDay) { try $0.dayIfPresent() }.first ?? nil
          adopted.settlesOn = max(newest ?? run.days.upperBound, run.days.upperBound)
          switched = ProfileSwitch(from: present?.profile, to: wanted, episodesEnded: ended)
        } else if ended > 0 {
          switched = ProfileSwitch(from: nil, to: wanted, episodesEnded: ended)
        }
        run.isSilent = run.isSilent || (isOther ? adopted : present)?.settlesOn != nil
      }
      guard isOther else { continue }
      let step = present == nil ? ProfileStatement.insertDatabaseProfile : .replaceDatabaseProfile
      try session.execute(
        step, part.rawValue, wanted.id, wanted.version, wanted.digest, now, adopted.settlesOn)
    }
    try put(run)
    return switched
  }

  /// Ends the silence after a switch, where a nightly run of everybody has caught up.
  func settleProfile(after run: RunRecord) throws {
    guard run.isSilent, run.kind == .run, run.selection == nil, run.status == .succeeded,
      run.parts.contains(.patterns)
    else { return }
    try session.execute(ProfileStatement.settleDatabaseProfile, run.days.upperBound)
  }

  /// Makes what evaluations of single persons have left of other profiles final: no night will judge it.
  func removeProvisionalMarks(ofOtherProfilesThan profile: Profile) throws {
    try session.execute(PersonStatement.removeNotificationMarksOfOtherProfiles, profile.id)
    try session.execute(PersonStatement.removeMarksOfOtherProfiles, profile.id)
  }

  private func databaseProfiles() throws -> [RunPart: DatabaseProfile] {
    let profiles = try session.databaseProfiles()
    return Dictionary(profiles.map { ($0.part, $0) }) { first, _ in first }
  }

  private func activeProfiles() throws -> [ActiveProfile] { try session.activeProfiles() }
}

extension RunRecord {
  /// The settings that decide what it writes.
  fileprivate var profiles: [(part: RunPart, profile: Profile)] {
    var profiles: [(part: RunPart, profile: Profile)] = []
    // Alerts about medications have the profile, too.
    if !parts.isDisjoint(with: [.patterns, .adherence]) {
      profiles.append((.patterns, thresholds))
    }
    if let vitality, parts.contains(.vitality) { profiles.append((.vitality, vitality)) }
    return profiles
  }
}

extension StorageError {
  fileprivate static func otherProfile(
    _ wanted: Profile, than present: Profile, for part: RunPart, in database: String
  ) -> StorageError {
    let kind = part == .vitality ? "vitality settings" : "profile"
    let isEdited = wanted.version == present.version
    return StorageError(
      .otherProfile,
      "the rows of \(database) are made with \(kind) \(present.id), and this run has \(wanted.id)"
        + (isEdited ? ", a changed file of the same version" : "") + "; nothing was written",
      remedy: .keepOrSwitchProfile(part: part, present: present, wanted: wanted))
  }

  /// The refusal of a database whose alerts were found with several profiles.
  static func mixedProfiles(_ active: [ActiveProfile], in database: String) -> StorageError {
    let list = active.map { "\($0.alerts) of \($0.profile.id)" }.joined(separator: ", ")
    return StorageError(
      .otherProfile,
      "\(database) has active alerts of other profiles (\(list)), and none is recorded as its own;"
        + " nothing was written",
      remedy: .chooseProfile)
  }
}
