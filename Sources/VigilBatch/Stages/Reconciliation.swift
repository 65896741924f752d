import Foundation
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// Compares what a fold found with the rows of the database (specification, runs.md section 1).
///
/// Same key: update; new: insert; an episode of the folded days that the data no longer support:
/// retract, whether it went on or had ended.
struct Reconciliation {
  /// The profile, run and time of every row that is written.
  struct Provenance {
    var profile: Profile
    var runID: UUID
    var at: Timestamp
  }

  /// The rows of each series one after another.
  private(set) var rows: [ReconciledRow] = []

  private let window: FoldWindow
  private let mode: RunRecord.Mode
  private let keepsUntouched: Bool
  private let readAlerts: Set<UUID>
  private let provenance: Provenance

  /// - Parameters:
  ///   - found: The episodes of a fold.
  ///   - series: The rows that the window may touch.
  ///   - keepsUntouched: Whether `rows` has those too that the fold says nothing of; behind those of metrics then come
  ///     the rows of other series.
  init(
    of found: FoundEpisodes, with series: ProfileSeries, window: FoldWindow, mode: RunRecord.Mode,
    keepsUntouched: Bool, provenance: Provenance
  ) {
    let (result, stored) = (found.result, found.placed(series.stored))
    self.window = window
    self.mode = mode
    self.keepsUntouched = keepsUntouched
    readAlerts = series.readAlerts
    self.provenance = provenance
    var levels = result.levels[...]
    var position = 0
    while position < result.episodes.count {
      let place = result.episodes[position].series
      let end =
        result.episodes[position...].firstIndex { $0.series != place }
        ?? result.episodes.count
      let own = levels.prefix { $0.episode < end }
      levels = levels.dropFirst(own.count)
      reconcile(
        result.episodes[position..<end], own, known: stored[place] ?? [],
        key: found.key(ofSeries: place))
      position = end
    }
    let judged = Set(result.episodes.map(\.series))
    for (place, known) in stored.sorted(by: { $0.key < $1.key }) where !judged.contains(place) {
      let isJudged = !result.unjudgedSeries.contains(place)
      for row in known { leave(row, orRetractIf: isJudged) }
    }
    if found.isOfMetrics { rows += series.storedOthers.map(ReconciledRow.init(untouched:)) }
  }

  /// Takes the episodes of one series and their levels; the indices of `folded` are those that `levels` refer to.
  private mutating func reconcile(
    _ folded: ArraySlice<FoldedEpisode>, _ levels: consuming ArraySlice<FoldedLevel>,
    known: [PatternAlertState], key: SeriesKey
  ) {
    let isOvertaken = known.contains { $0.isLaterThan(window.folded.upperBound) }
    let unfound = known.filter { row in
      !folded.contains { $0.episode.activeSince == row.episode.activeSince }
    }
    var inheritance = Inheritance(
      from: unfound.filter { $0.isRetracted || isRefuted($0) })
    var due: DueLevels?
    for index in folded.indices {
      let episode = folded[index].episode
      let own = levels.prefix { $0.episode == index }
      levels = levels.dropFirst(own.count)
      let stored = known.first { $0.episode.activeSince == episode.activeSince }
      let next = DueLevels(
        of: episode, own, stored: stored,
        isRead: stored.map { readAlerts.contains($0.id) } ?? false,
        after: folded[index].continuesEarlier ? due : nil, mode: mode, window: window)
      take(
        episode, next, inheriting: inheritance.legacy(of: folded[index]), key: key, known: stored,
        isOvertaken: isOvertaken)
      due = next
    }
    for row in unfound { leave(row, orRetractIf: true) }
  }

  private mutating func take(
    _ episode: Episode, _ due: DueLevels, inheriting inherited: Inheritance.Legacy, key: SeriesKey,
    known: PatternAlertState?,
    isOvertaken: Bool
  ) {
    // A fold that ends before days the database has seen knows less about what was going on then.
    if let known, known.isLaterThan(window.folded.upperBound) {
      return leave(known, orRetractIf: false)
    }
    if known == nil, isOvertaken, episode.isActive { return }

    var row =
      known
      ?? PatternAlertState(
        profile: provenance.profile, series: key, episode: episode, runID: provenance.runID,
        computedAt: provenance.at, createdAt: provenance.at, updatedAt: provenance.at)
    row.episode = episode
    if known.map(inherited.overtakes) ?? true { inherited.response.apply(to: &row) }
    var levels = NotifiedLevels(of: row)
    levels.raise(to: inherited.levels)
    levels.raise(mode, to: due.notifiedBefore)
    levels.apply(to: &row)
    rows.append(ReconciledRow(row, known: known, notes: due.levels[...]))
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

  private mutating func leave(_ known: PatternAlertState, orRetractIf isJudged: Bool) {
    guard isJudged, isRefuted(known) else {
      if keepsUntouched { rows.append(ReconciledRow(untouched: known)) }
      return
    }
    var row = known
    row.episode.resolution = .init(day: window.folded.upperBound, reason: .retracted)
    row.episode.lastEvaluated = window.folded.upperBound
    rows.append(ReconciledRow(row, known: known))
  }
}

extension PatternAlertState {
  func notifiedLevel(in mode: RunRecord.Mode) -> AlertLevel? { NotifiedLevels(of: self)[mode] }

  var isRetracted: Bool { episode.resolution?.reason == .retracted }

  /// Whether the row speaks of days after `day`.
  func isLaterThan(_ day: Day) -> Bool {
    max(episode.lastEvaluated, episode.resolution?.day ?? episode.lastEvaluated) > day
  }
}
