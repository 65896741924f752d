import Foundation
import VigilDelivery
import VigilDetection
import VigilModel
import VigilStorage

/// Compares what a fold found with the rows of the database (specification, runs.md section 1).
///
/// Same key: update; new: insert; an episode of the folded days that the data no longer support:
/// retract, whether it went on or had ended. Rows that would not change are not written, so that a
/// second run writes nothing.
struct Reconciliation {
  /// The profile, run and time of every row that is written.
  struct Provenance {
    var profile: Profile
    var runID: UUID
    var at: Timestamp
  }

  /// Rows to write.
  private(set) var changed: [PatternAlertState] = []
  private(set) var notifications: [PatternAlertNotification] = []
  /// Episodes opened, escalated and resolved; the other counts are left at 0.
  private(set) var counts = RunRecord.Counts()

  private let window: FoldWindow
  private let mode: RunRecord.Mode
  private let notifiesRecovery: Bool
  private let isSilent: Bool
  private let provenance: Provenance

  /// - Parameters:
  ///   - stored: By series index, rows that the window may touch, in order of `active_since`.
  ///   - notifiesRecovery: Whether a notification is planned when a person is back at their baseline.
  ///   - isSilent: Whether the run, in either mode, notifies no one and counts active episodes as notified.
  ///   - seriesKey: The key of the series at an index.
  init(
    of result: FoldResult, with stored: [Int: [PatternAlertState]], window: FoldWindow,
    mode: RunRecord.Mode, notifiesRecovery: Bool = false, isSilent: Bool = false,
    provenance: Provenance,
    seriesKey: (Int) -> SeriesKey
  ) {
    self.window = window
    self.mode = mode
    self.notifiesRecovery = notifiesRecovery && !isSilent
    self.isSilent = isSilent
    self.provenance = provenance
    var notes = result.notifications[...]
    var position = 0
    while position < result.episodes.count {
      let series = result.episodes[position].series
      let end =
        result.episodes[position...].firstIndex { $0.series != series }
        ?? result.episodes.count
      let own = notes.prefix { $0.episode < end }
      notes = notes.dropFirst(own.count)
      reconcile(
        result.episodes[position..<end], own, known: stored[series] ?? [], key: seriesKey(series))
      position = end
    }
    let found = Set(result.episodes.map(\.series))
    for (series, known) in stored.sorted(by: { $0.key < $1.key })
    where !found.contains(series) && !result.unjudgedSeries.contains(series) {
      for row in known where isRefuted(row) { retract(row) }
    }
  }

  /// Takes the episodes of one series and their notifications; the indices of `folded` are those that
  /// `notes` refer to.
  private mutating func reconcile(
    _ folded: ArraySlice<FoldedEpisode>, _ notes: consuming ArraySlice<FoldedNotification>,
    known: [PatternAlertState], key: SeriesKey
  ) {
    let isOvertaken = known.contains { $0.isLaterThan(window.folded.upperBound) }
    let unfound = known.filter { row in
      !folded.contains { $0.episode.activeSince == row.episode.activeSince }
    }
    var inheritance = Inheritance(
      from: unfound.filter { $0.isRetracted || isRefuted($0) })
    for index in folded.indices {
      let episode = folded[index].episode
      let own = notes.prefix { $0.episode == index }
      notes = notes.dropFirst(own.count)
      take(
        folded[index], own,
        inheriting: inheritance.legacy(of: episode), key: key,
        known: known.first { $0.episode.activeSince == episode.activeSince },
        isOvertaken: isOvertaken)
    }
    for row in unfound where isRefuted(row) { retract(row) }
  }

  private mutating func take(
    _ folded: FoldedEpisode, _ notes: ArraySlice<FoldedNotification>,
    inheriting inherited: Inheritance.Legacy, key: SeriesKey, known: PatternAlertState?,
    isOvertaken: Bool
  ) {
    // A fold that ends before days the database has seen knows less about what was going on then.
    if let known, known.isLaterThan(window.folded.upperBound) { return }
    if known == nil, isOvertaken, folded.episode.isActive { return }

    var row =
      known
      ?? PatternAlertState(
        profile: provenance.profile, series: key, episode: folded.episode, runID: provenance.runID,
        computedAt: provenance.at, createdAt: provenance.at, updatedAt: provenance.at)
    row.episode = folded.episode
    if known.map(inherited.overtakes) ?? true { inherited.response.apply(to: &row) }
    var levels = NotifiedLevels(of: row)
    levels.raise(to: inherited.levels)
    switch mode {
    // What is planned now counts as notified when it is enqueued, at the end of the run.
    case .live: levels.raise(.live, to: folded.notifiedLevelBefore)
    case .shadow: levels.raise(.shadow, to: folded.notifiedLevelBefore)
    }
    if isSilent, folded.episode.isActive {
      levels.raise(to: NotifiedLevels(live: folded.episode.level, shadow: folded.episode.level))
    }
    // The levels of an episode come in ascending order.
    let planned = (isSilent ? [] : notes).drop { note in
      inherited.levels[mode].map { note.level <= $0 } ?? false
    }.map { note in
      PatternAlertNotification(
        series: key, alertStateID: row.id, level: note.level, of: folded.episode,
        evaluatedDay: note.day, deviation: note.deviation,
        withheld: note.withheld ?? row.reasonToWithhold(on: note.day))
    }
    if mode == .shadow {
      levels.raise(.shadow, to: planned.last { $0.withheld == nil }?.level)
    }
    row.lastNotifiedLevel = levels.live
    row.shadowNotifiedLevel = levels.shadow
    if row != known {
      count(row, was: known)
      write(row)
    }
    notifications += planned
    planRecovery(of: row, known: known)
  }

  /// Plans a notification of the end of an alert, where a member was notified of the alert and not of its end.
  private mutating func planRecovery(of row: PatternAlertState, known: PatternAlertState?) {
    guard notifiesRecovery, let end = row.episode.resolution, end.reason == .recovered,
      let level = row.notifiedLevel(in: mode),
      window.notifying.contains(end.day) || known?.episode.isActive ?? false
    else { return }
    notifications.append(
      PatternAlertNotification(
        occasion: .recovery, series: row.series, alertStateID: row.id, level: level,
        of: row.episode, evaluatedDay: end.day, deviation: row.episode.figures.deviation,
        withheld: row.reasonToWithhold(on: end.day)))
  }

  // MARK: Retracting

  /// Whether the fold would have found the episode of `row`, had the data supported it.
  ///
  /// What had ended before the folded days is not theirs to judge, nor what the database knows of days
  /// after them.
  private func isRefuted(_ row: PatternAlertState) -> Bool {
    guard !row.isRetracted, !row.isLaterThan(window.folded.upperBound) else { return false }
    return row.episode.resolution.map { $0.day >= window.folded.lowerBound } ?? true
  }

  private mutating func retract(_ refuted: PatternAlertState) {
    var row = refuted
    row.episode.resolution = .init(day: window.folded.upperBound, reason: .retracted)
    row.episode.lastEvaluated = window.folded.upperBound
    if refuted.episode.isActive { counts.episodesResolved += 1 }
    write(row)
  }

  private mutating func count(_ row: PatternAlertState, was known: PatternAlertState?) {
    if known == nil { counts.episodesOpened += 1 }
    if row.episode.level > known?.episode.level ?? .day3 { counts.episodesEscalated += 1 }
    if !row.episode.isActive, known?.episode.isActive ?? true { counts.episodesResolved += 1 }
  }

  private mutating func write(_ row: consuming PatternAlertState) {
    row.runID = provenance.runID
    row.computedAt = provenance.at
    row.updatedAt = provenance.at
    changed.append(row)
  }
}

extension PatternAlertState {
  func notifiedLevel(in mode: RunRecord.Mode) -> AlertLevel? { NotifiedLevels(of: self)[mode] }

  func reasonToWithhold(on day: Day) -> PlannedNotification.StatusReason? {
    StoredEpisode(
      episode: episode, notifiedLevel: nil, isDismissed: dismissedAt != nil,
      snoozeUntil: snoozeUntil
    ).reasonToWithhold(on: day)
  }

  var isRetracted: Bool { episode.resolution?.reason == .retracted }

  /// Whether the row speaks of days after `day`.
  func isLaterThan(_ day: Day) -> Bool {
    max(episode.lastEvaluated, episode.resolution?.day ?? episode.lastEvaluated) > day
  }
}
