import Foundation
import VigilDetection
import VigilModel
import VigilPipeline
import VigilStorage

/// The series of a batch as one profile sees them: their input, and the alerts that are stored.
final class ProfileSeries {
  let profile: ProfilePlan
  /// The metrics of detection, in the order of their series.
  let metrics: [MetricThresholds]
  let input: BlockInput
  /// Rows of followed series that the window may touch, in order of `active_since`.
  private(set) var stored: [SeriesKey: [PatternAlertState]] = [:]
  /// The active alerts of silence that a member has read.
  private(set) var readAlerts: Set<UUID> = []
  /// Other rows of the persons on which their events depend.
  ///
  /// They are of metrics that are not followed now, or started an event before the window. Empty where each alert
  /// is an event of its own.
  private(set) var storedOthers: [PatternAlertState] = []
  /// Alerts of the profile that evaluations of single persons have changed since the night before; `stored` has
  /// them as that night left them.
  private(set) var provisional: [ProvisionalAlert] = []

  init(_ profile: ProfilePlan) {
    self.profile = profile
    metrics = profile.metrics
    input = BlockInput(profile)
  }

  /// Empties it for other persons; their rows come next.
  func begin(_ persons: [UUID]) {
    input.begin(persons)
    stored = [:]
    readAlerts = []
    storedOthers = []
    provisional = []
  }

  /// - Parameters:
  ///   - reader: For the other alerts.
  ///   - medications: The stored alerts about medications, at least since the first loaded day; nil where doses are
  ///     not followed.
  /// - Throws: `StorageError`.
  func readStoredStates(
    from reader: any StorageReader, medications: MedicationAlerts?
  ) throws {
    let known = try readBases(from: reader, medications: medications)
      .filter { input.place(of: $0.series.user) != nil }
    var others: [PatternAlertState] = []
    for state in known {
      if input.canFollow(state.series) {
        stored[state.series, default: []].append(state)
      } else {
        others.append(state)
      }
    }
    for key in stored.keys {
      stored[key]?.sort { $0.episode.activeSince < $1.episode.activeSince }
    }
    let silent = stored.filter { $0.key.pattern == .silence }.values.joined()
      .filter(\.episode.isActive).map(\.id)
    readAlerts = silent.isEmpty ? [] : try reader.readAlerts(among: silent)
    guard profile.thresholds.groupsEvents else { return }
    let missing = Set(known.map(\.eventID)).subtracting(known.map(\.id))
    storedOthers = others
    guard !missing.isEmpty else { return }
    let marked = Set(provisional.map(\.row.id))
    storedOthers += try reader.alertStates(withIDs: Array(missing)).filter {
      !marked.contains($0.id)
    }
  }

  /// The rows that the window may touch, as the night before left them.
  private func readBases(
    from reader: any StorageReader, medications: MedicationAlerts?
  ) throws -> [PatternAlertState] {
    let first = profile.window.loaded.lowerBound
    var known = try reader.alertStates(
      of: input.persons, in: profile.thresholds.profile, touchedSince: first)
    if profile.adherenceMetric?.doses != nil, let stored = medications?.touched(since: first) {
      known += stored.filter {
        $0.profile == profile.thresholds.profile
          && BlockMedicationFold.series.contains($0.series.metric)
      }
    }
    provisional = try reader.provisionalAlerts(of: input.persons)
      .filter { $0.row.profile == profile.thresholds.profile }
    guard !provisional.isEmpty else { return known }
    let marked = Set(provisional.map(\.row.id))
    let bases = provisional.map(\.base).filter { base in
      // A run of earlier days knows nothing of an alert that an evaluation added for a later day.
      !base.isRetracted || !base.isLaterThan(profile.window.folded.upperBound)
    }
    return known.filter { !marked.contains($0.id) } + bases
  }

  /// The rows of the persons from which their evaluation goes on, by their ids; without those that count as
  /// retracted because they were added since the night before.
  var bases: [UUID: PatternAlertState] {
    let added = Set(provisional.filter { $0.confirmed == nil }.map(\.row.id))
    var bases: [UUID: PatternAlertState] = [:]
    for row in stored.values.joined() { bases[row.id] = row }
    for row in storedOthers { bases[row.id] = row }
    return bases.filter { !added.contains($0.key) }
  }

  /// The stored episodes, for a fold to go on from.
  var storedEpisodes: [SeriesKey: [Episode]] { stored.mapValues { $0.map(\.episode) } }

  /// The stored alerts of metrics, alone and together.
  var storedOfMetrics: [PatternAlertState] {
    stored.filter { input.series(of: $0.key) != nil }.values.flatMap(\.self)
  }

  /// The stored alerts of the series of metrics at an index.
  func stored(ofSeries index: Int) -> [PatternAlertState] {
    stored[input.key(ofSeries: index)] ?? []
  }

  /// Whether an alert of silence of a person is stored.
  func hasStoredSilence(_ person: Int) -> Bool {
    profile.silences.indices.contains {
      stored[input.key(ofSilence: person * profile.silences.count + $0)] != nil
    }
  }
}
