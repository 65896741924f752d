import Foundation
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// The alerts of one series that follow from the days on which something was found: one for each run of such days
/// (specification, adherence.md section 5).
///
/// It depends on the days alone, so that nights, a backfill and shards leave the same alerts.
struct FindingCourse {
  let series: SeriesKey
  /// The days whose findings are known anew.
  let evaluated: ClosedRange<Day>
  /// The newest day that was evaluated of the person; an alert that was found on it is active.
  let horizon: Day
  let provenance: Reconciliation.Provenance

  init(
    of series: SeriesKey, evaluated: ClosedRange<Day>, horizon: Day,
    provenance: Reconciliation.Provenance
  ) {
    self.series = series
    self.evaluated = evaluated
    self.horizon = max(horizon, evaluated.upperBound)
    self.provenance = provenance
  }

  /// Returns the stored alerts and the new ones, as they are after the evaluated days; days ascend.
  ///
  /// An alert whose first day late data have moved takes over what members were notified of and have set.
  /// Alerts that no day supports any more are retracted.
  ///
  /// - Parameters:
  ///   - days: The evaluated days on which the finding was made, in any order.
  ///   - stored: The alerts of the series that reach the day before the evaluated ones or a later day.
  ///   - predecessors: Alerts of the profile that the database had before, which new ones continue.
  /// - Complexity: O(n log n) in days and alerts.
  func rows(
    foundOn days: [Day], stored: [PatternAlertState],
    continuing predecessors: [PatternAlertState] = []
  ) -> [ReconciledRow] {
    let known = Dictionary(stored.map { ($0.episode.activeSince, $0) }) { first, _ in first }
    let supported = stored.filter { !$0.isRetracted } + predecessors
    let intervals = intervals(foundOn: days, stored: supported)
    let starts = Set(intervals.map(\.lowerBound))
    let current = intervals.map { alert(over: $0, known: known[$0.lowerBound], among: supported) }
    let others = stored.filter { !starts.contains($0.episode.activeSince) }.map { row in
      ReconciledRow(row.isRetracted ? row : retracted(row), known: row)
    }
    return (current + others).sorted { $0.row.episode.activeSince < $1.row.episode.activeSince }
  }

  /// The runs of days without a gap: what is stored of days before and after the evaluated ones, and what was
  /// found on these.
  private func intervals(
    foundOn days: [Day], stored: [PatternAlertState]
  ) -> [ClosedRange<Day>] {
    var parts = Set(days.filter(evaluated.contains)).map { $0...$0 }
    for found in stored.map(\.foundDays) {
      if found.lowerBound < evaluated.lowerBound {
        parts.append(found.lowerBound...min(found.upperBound, evaluated.lowerBound - 1))
      }
      if found.upperBound > evaluated.upperBound {
        parts.append(max(found.lowerBound, evaluated.upperBound + 1)...found.upperBound)
      }
    }
    return FoundDays.runs(of: parts)
  }

  private func alert(
    over days: ClosedRange<Day>, known: PatternAlertState?, among supported: [PatternAlertState]
  ) -> ReconciledRow {
    let end: Episode.Resolution? =
      if days.upperBound >= horizon {
        nil
      } else if let known, !known.isRetracted, known.foundDays == days, !known.episode.isActive {
        known.episode.resolution
      } else {
        .init(day: days.upperBound + 1, reason: .recovered)
      }
    let episode = Episode(foundOn: days, resolution: end)
    var row =
      known
      ?? PatternAlertState(
        profile: provenance.profile, series: series, episode: episode, runID: provenance.runID,
        computedAt: provenance.at, createdAt: provenance.at, updatedAt: provenance.at)
    row.episode = episode
    var levels = NotifiedLevels(of: row)
    var response = MemberResponse(of: row)
    for other in supported where other.id != row.id && days.overlaps(other.foundDays) {
      levels.raise(to: NotifiedLevels(of: other))
      response.merge(MemberResponse(of: other))
    }
    levels.apply(to: &row)
    // A snooze, dismissal or acknowledgement of an alert that was there all the time holds for this one.
    if known?.isRetracted != false { response.apply(to: &row) }
    return ReconciledRow(row, known: known)
  }

  private func retracted(_ known: PatternAlertState) -> PatternAlertState {
    var row = known
    row.episode.resolution = .init(day: evaluated.upperBound, reason: .retracted)
    row.episode.lastEvaluated = max(known.episode.activeSince, evaluated.upperBound)
    return row
  }
}

extension PatternAlertState {
  /// The days on which it was found.
  var foundDays: ClosedRange<Day> { episode.activeSince...episode.lastDeviating }
}
