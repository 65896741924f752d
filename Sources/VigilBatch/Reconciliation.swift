import Foundation
import VigilDetection
import VigilModel
import VigilNotifications
import VigilStorage

/// Brings what a fold found together with what the database holds (specification, runs.md section 1).
///
/// Same key: update; new: insert; an active episode that the data no longer support: retract. Rows that would not change are not written, so that a second run writes nothing.
struct Reconciliation {
  /// What every row that is written carries.
  struct Provenance {
    var thresholdsVersion: String
    var thresholdsDigest: String
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
  private let provenance: Provenance

  /// - Parameters:
  ///   - stored: By series index, rows that the window may touch, in order of `active_since`.
  ///   - seriesKey: The key of the series at an index.
  init(
    of result: FoldResult, with stored: [Int: [PatternAlertState]], window: FoldWindow,
    mode: RunRecord.Mode, provenance: Provenance, seriesKey: (Int) -> SeriesKey
  ) {
    self.window = window
    self.mode = mode
    self.provenance = provenance
    var notes = result.notifications[...]
    var position = 0
    while position < result.episodes.count {
      let series = result.episodes[position].series
      let end =
        result.episodes[position...].firstIndex { $0.series != series }
        ?? result.episodes.count
      let key = seriesKey(series)
      let known = stored[series] ?? []
      let isOvertaken = known.contains { $0.isLaterThan(window.folded.upperBound) }
      for index in position..<end {
        let own = notes.prefix { $0.episode == index }
        notes = notes.dropFirst(own.count)
        take(
          result.episodes[index], own, key: key,
          known: known.first {
            $0.episode.activeSince == result.episodes[index].episode.activeSince
          },
          isOvertaken: isOvertaken)
      }
      retract(known, except: Set(result.episodes[position..<end].map(\.episode.activeSince)))
      position = end
    }
    let found = Set(result.episodes.map(\.series))
    for (series, known) in stored.sorted(by: { $0.key < $1.key }) where !found.contains(series) {
      retract(known, except: [])
    }
  }

  private mutating func take(
    _ folded: FoldedEpisode, _ notes: ArraySlice<FoldedNotification>, key: SeriesKey,
    known: PatternAlertState?, isOvertaken: Bool
  ) {
    // A fold that ends before days the database has seen knows less about what was going on then.
    if let known, known.isLaterThan(window.folded.upperBound) { return }
    if known == nil, isOvertaken, folded.episode.isActive { return }

    var row =
      known
      ?? PatternAlertState(
        series: key, episode: folded.episode, thresholdsVersion: provenance.thresholdsVersion,
        thresholdsDigest: provenance.thresholdsDigest, runID: provenance.runID,
        computedAt: provenance.at, createdAt: provenance.at, updatedAt: provenance.at)
    row.episode = folded.episode
    switch mode {
    case .live:
      // What is planned now counts as notified when it is enqueued, at the end of the run.
      row.lastNotifiedLevel = folded.notifiedLevelBefore
    case .shadow:
      row.shadowNotifiedLevel = folded.notifiedLevel
    }
    if row != known {
      count(row, was: known)
      write(row)
    }
    for note in notes {
      notifications.append(
        PatternAlertNotification(
          series: key, alertStateID: row.id, level: note.level,
          activeSince: folded.episode.activeSince, evaluatedDay: note.day,
          deviation: note.deviation))
    }
  }

  private mutating func retract(_ known: [PatternAlertState], except found: Set<Day>) {
    for state in known
    where state.episode.isActive && !found.contains(state.episode.activeSince)
      && !state.isLaterThan(window.folded.upperBound)
    {
      var row = state
      row.episode.resolution = .init(day: window.folded.upperBound, reason: .retracted)
      row.episode.lastEvaluated = window.folded.upperBound
      counts.episodesResolved += 1
      write(row)
    }
  }

  private mutating func count(_ row: PatternAlertState, was known: PatternAlertState?) {
    if known == nil { counts.episodesOpened += 1 }
    if row.episode.level > known?.episode.level ?? .day3 { counts.episodesEscalated += 1 }
    if !row.episode.isActive, known?.episode.isActive ?? true { counts.episodesResolved += 1 }
  }

  private mutating func write(_ row: PatternAlertState) {
    var row = row
    row.thresholdsVersion = provenance.thresholdsVersion
    row.thresholdsDigest = provenance.thresholdsDigest
    row.runID = provenance.runID
    row.computedAt = provenance.at
    row.updatedAt = provenance.at
    changed.append(row)
  }
}

extension PatternAlertState {
  func notifiedLevel(in mode: RunRecord.Mode) -> AlertLevel? {
    switch mode {
    case .live: lastNotifiedLevel
    case .shadow: shadowNotifiedLevel
    }
  }

  /// Whether the row speaks of days after `day`.
  func isLaterThan(_ day: Day) -> Bool { episode.lastEvaluated > day }
}
