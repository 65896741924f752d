public import VigilModel
public import VigilStorage

extension SQLRunTransaction {
  public func promotion(of profile: Profile, database: String) throws -> ProfilePromotion? {
    guard let own = try session.databaseProfiles().first(where: { $0.part == .patterns }) else {
      throw StorageError(
        .otherProfile, "\(database) has no profile yet, so there is none to replace",
        remedy: "evaluate it with \(profile.version) as its own profile")
    }
    guard own.profile != profile else { return nil }
    let runs = try runs(startedAfter: Timestamp(microseconds: 0)).filter { run in
      run.status == .succeeded && run.selection == nil && run.parts.contains(.patterns)
    }
    let ownDays = runs.filter { $0.thresholds == own.profile }.map(\.days.upperBound)
    guard let newest = (ownDays + [own.settlesOn].compactMap(\.self)).max(),
      let last = runs.filter({ $0.candidate == profile })
        .max(by: { $0.days.upperBound < $1.days.upperBound }),
      last.days.upperBound >= newest
    else {
      let followed = runs.filter { $0.candidate == profile }.map(\.days.upperBound).max()
      throw StorageError(
        .otherProfile,
        "\(profile.id) was \(followed.map { "followed to \($0) only" } ?? "never followed") in"
          + " \(database), and \(own.profile.id) is evaluated"
          + " \(ownDays.max().map { "to \($0)" } ?? "for no day"); nothing was changed",
        remedy: "evaluate it as the candidate of a run of all persons for the newest day first")
    }
    let active = try session.activeProfiles()
    return ProfilePromotion(
      from: own.profile, to: profile, run: last.id, evaluatedThrough: last.days.upperBound,
      alertsCounted: active.filter { $0.profile == profile }.reduce(0) { $0 + $1.alerts },
      alertsEnded: active.filter { $0.profile != profile }.reduce(0) { $0 + $1.alerts })
  }

  public func promote(_ promotion: ProfilePromotion, at now: Timestamp) throws {
    let profile = promotion.to
    try session.execute(ProfileStatement.countActiveAsNotified, profile.id, now)
    try session.execute(
      ProfileStatement.endEpisodesOfOtherProfiles, profile.id, promotion.evaluatedThrough,
      promotion.run, now)
    try removeProvisionalMarks(ofOtherProfilesThan: profile)
    // The candidate has caught up with the newest day, so that no night needs to be silent.
    try session.execute(
      ProfileStatement.replaceDatabaseProfile, RunPart.patterns.rawValue, profile.id,
      profile.version, profile.digest, now, Day?.none)
  }
}
