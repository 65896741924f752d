public import VigilModel

/// Checks whether a database is ready for nightly runs that notify members; part of `vigil doctor`.
public struct ProductionCheck: Sendable {
  /// The day that the next nightly run would evaluate.
  public var day: Day
  /// The mode of nightly runs according to the settings.
  public var mode: RunRecord.Mode
  /// The present instant.
  public var now: Timestamp

  public init(day: Day, mode: RunRecord.Mode, at now: Timestamp) {
    self.day = day
    self.mode = mode
    self.now = now
  }

  /// The age in days that the newest row may have: devices are synchronised late.
  private static let patience = 2

  /// The number of days back on which a row makes its person one of those who send data.
  private static let memory = 28

  private static let table = InputTable.wearableDailyMetrics.name
}

extension ProductionCheck {
  /// Returns the findings about a database with a current schema.
  ///
  /// - Throws: `StorageError`.
  public func findings(in storage: some Storage) throws -> [Finding] {
    try [
      feedFinding(storage), doseFeedFinding(storage), heldFinding(storage),
      deadLetterFinding(storage),
      restFinding(storage), modeFinding(storage),
    ].compactMap { $0 }
  }

  /// Nil where there are no metrics, which has a finding of its own.
  private func feedFinding(_ storage: some Storage) throws -> Finding? {
    guard let newest = try storage.metricDays()?.upperBound else { return nil }
    let first = day - Self.patience
    let (persons, silent) = try storage.senders(
      from: first - Self.memory, recent: first, to: day)
    let share = persons == 0 ? 0 : Double(silent) / Double(persons)
    let percent = Int(clamping: (share * 100).rounded())
    let silentText =
      persons == 0
      ? "no person has rows of the four weeks before \(first)"
      : "\(silent) of \(persons) \(persons == 1 ? "person" : "persons") (\(percent) %) with rows in the four"
        + " weeks before have none since \(first)"
    guard newest >= first else {
      return Finding(
        check: "feed", status: .warning,
        detail:
          "the newest row of \(Self.table) is of \(newest), and the next run evaluates \(day);"
          + " \(silentText)",
        remedy: "check what brings the data in; no silence opens an alert while it is broken")
    }
    if let run = try storage.runs(limit: 1).first, let feed = run.feed,
      feed.isBroken(on: run.days.upperBound)
    {
      return Finding(
        check: "feed", status: .warning,
        detail: "\(feed.sending) of usually \(feed.usual) persons have a row of"
          + " \(run.days.upperBound), the last evaluated day: no silence opened an alert",
        remedy: "check what brings their data in; silent persons are judged again when it is back")
    }
    return Finding(
      check: "feed", status: share > 0.5 ? .warning : .ok, detail: silentText,
      remedy: share > 0.5 ? "check what brings their data in" : nil)
  }

  /// Nil where the feed of doses works, or is not looked at.
  private func doseFeedFinding(_ storage: some Storage) throws -> Finding? {
    guard let run = try storage.runs(limit: 1).first, let feed = run.doseFeed,
      feed.isBroken(on: run.days.upperBound)
    else { return nil }
    return Finding(
      check: "dose feed", status: .warning,
      detail: "\(feed.sending) of usually \(feed.usual) persons have a dose row of"
        + " \(run.days.upperBound), the last evaluated day: doses without a record were no misses",
      remedy: "check what brings the doses in; they are judged again when their rows arrive")
  }

  private func heldFinding(_ storage: some Storage) throws -> Finding? {
    let waiting = try storage.notificationsWaitingForDecision()
    guard let newest = waiting.first else { return nil }
    let runs = waiting.map { "\($0.notifications) of run \($0.run.lowercased)" }
    return Finding(
      check: "held notifications", status: .warning,
      detail: "they wait for a decision: \(runs.joined(separator: ", "))",
      remedy: .decideAboutHeld(run: newest.run))
  }

  private func deadLetterFinding(_ storage: some Storage) throws -> Finding? {
    let letters = try storage.deadLetters(since: now.adding(seconds: -24 * 3600))
    let number = letters.map(\.count).reduce(0, +)
    guard number > 0 else { return nil }
    let reasons = letters.prefix(4).map { "\($0.count) \($0.channel.rawValue) \($0.error)" }
    return Finding(
      check: "failed notifications", status: .warning,
      detail: "\(number) \(number == 1 ? "notification" : "notifications") failed in the last day:"
        + " \(reasons.joined(separator: ", "))\(letters.count > 4 ? " and others" : "")",
      remedy: .listFailedNotifications)
  }

  private func restFinding(_ storage: some Storage) throws -> Finding? {
    let rests = try storage.channelRests()
    guard !rests.isEmpty else { return nil }
    let texts = rests.map { rest in
      "\(rest.channel.rawValue) \(rest.isOver(at: now) ? "rested" : "rests") until \(rest.until) after"
        + " \(rest.failures) attempts that failed (\(rest.error))"
    }
    return Finding(
      check: "channels", status: .warning,
      detail: "notifications wait: \(texts.joined(separator: ", "))",
      remedy: "check the provider; a sender tries again after each rest")
  }

  private func modeFinding(_ storage: some Storage) throws -> Finding {
    let unnotified = try storage.alertsNeverNotified()
    let alerts = "\(unnotified) active \(unnotified == 1 ? "alert" : "alerts") of shadow nights"
    switch mode {
    case .live where unnotified > 0:
      return Finding(
        check: "mode", status: .failure,
        detail: "nightly runs are live, and \(alerts) were never notified: a live run is refused",
        remedy: .goLive)
    case .live:
      return Finding(check: "mode", status: .ok, detail: "nightly runs are live")
    case .shadow:
      // A flag of an earlier command shows only in the mode of its run.
      let hasLiveRuns = try storage.runs(limit: 50).contains { $0.mode == .live }
      return unnotified > 0 && hasLiveRuns
        ? Finding(
          check: "mode", status: .warning,
          detail: "runs were live, and \(alerts) were never notified: the next live run is refused",
          remedy: .goLive)
        : Finding(
          check: "mode", status: .ok,
          detail: "nightly runs are in shadow mode unless they are started in live mode",
          remedy: unnotified > 0 ? .goLiveBeforeLiveRun : nil)
    }
  }
}
