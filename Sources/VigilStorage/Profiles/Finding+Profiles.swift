public import VigilModel

extension Finding {
  /// Returns the finding about the settings that a database's rows are made with.
  ///
  /// - Parameters:
  ///   - own: The recorded profiles.
  ///   - active: The profiles that active alerts were found with.
  ///   - candidates: The profiles that runs have followed beside it.
  public static func onProfiles(
    _ own: [DatabaseProfile], active: [ActiveProfile], candidates: Set<Profile> = []
  ) -> Finding {
    let recorded = own.first { $0.part == .patterns }
    let others = active.filter {
      $0.profile != recorded?.profile && !candidates.contains($0.profile)
    }
    guard let recorded else {
      guard !others.isEmpty else {
        return Finding(
          check: "profile", status: .ok, detail: "none yet: the first run records its own")
      }
      return Finding(
        check: "profile", status: .failure,
        detail: "active alerts of \(list(others)), and none is recorded as the database's own",
        remedy: .switchToProfile)
    }
    guard others.isEmpty else {
      return Finding(
        check: "profile", status: .failure,
        detail: "\(recorded.profile.id), but also active alerts of \(list(others))",
        remedy: .switchToRecordedProfile)
    }
    let beside = active.filter { $0.profile != recorded.profile }
    let detail =
      own.map(\.profile.id).joined(separator: ", ")
      + (beside.isEmpty ? "" : "; active alerts of candidates: \(list(beside))")
    guard let day = recorded.settlesOn else {
      return Finding(check: "profile", status: .ok, detail: detail)
    }
    return Finding(
      check: "profile", status: .ok,
      detail:
        "\(detail); switched, and silent until a run of all persons for \(day) or later succeeds")
  }

  private static func list(_ active: [ActiveProfile]) -> String {
    active.map { "\($0.profile.id) (\($0.alerts))" }.joined(separator: ", ")
  }
}
