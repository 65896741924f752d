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
  /// Rows that the window may touch, by series index and in order of `active_since`.
  private(set) var stored: [Int: [PatternAlertState]] = [:]
  /// The same of the series of silence.
  private(set) var storedSilences: [Int: [PatternAlertState]] = [:]
  /// The same of the series of single medications, by key; none where the profile does not follow them.
  private(set) var storedMedications: [SeriesKey: [PatternAlertState]] = [:]
  /// The same of the series of limits, by key.
  private(set) var storedLimits: [SeriesKey: [PatternAlertState]] = [:]
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
    storedSilences = [:]
    storedMedications = [:]
    storedLimits = [:]
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
    let metricIndex = Dictionary(
      uniqueKeysWithValues: metrics.enumerated().map { ($0.element.metric, $0.offset) })
    let personIndex = Dictionary(
      uniqueKeysWithValues: input.persons.enumerated().map { ($0.element, $0.offset) })
    var states: [Int: [PatternAlertState]] = [:]
    let known = try readBases(from: reader, medications: medications)
    var silences: [Int: [PatternAlertState]] = [:]
    var ofMedications: [SeriesKey: [PatternAlertState]] = [:]
    var ofLimits: [SeriesKey: [PatternAlertState]] = [:]
    var others: [PatternAlertState] = []
    for state in known {
      guard let person = personIndex[state.series.user] else { continue }
      if state.series.pattern == .medication {
        ofMedications[state.series, default: []].append(state)
        continue
      }
      if state.series.pattern.isOfLimit {
        ofLimits[state.series, default: []].append(state)
        continue
      }
      if state.series.pattern == .silence,
        let place = profile.silences.firstIndex(where: { $0.metric == state.series.metric })
      {
        silences[person * profile.silences.count + place, default: []].append(state)
        continue
      }
      let place: Int
      if state.series.pattern == .worse, profile.followsTogether {
        place = metrics.count
      } else if let metric = metricIndex[state.series.metric],
        metrics[metric].pattern == state.series.pattern
      {
        place = metric
      } else {
        others.append(state)
        continue
      }
      states[person * profile.seriesPerPerson + place, default: []].append(state)
    }
    func sorted<Key: Hashable>(_ states: [Key: [PatternAlertState]]) -> [Key: [PatternAlertState]] {
      states.mapValues { $0.sorted { $0.episode.activeSince < $1.episode.activeSince } }
    }
    (stored, storedSilences) = (sorted(states), sorted(silences))
    storedMedications = sorted(ofMedications)
    storedLimits = sorted(ofLimits)
    let silent = storedSilences.values.joined().filter(\.episode.isActive).map(\.id)
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
    for rows in [stored.values.joined(), storedSilences.values.joined()] {
      for row in rows { bases[row.id] = row }
    }
    for row in storedMedications.values.joined() { bases[row.id] = row }
    for row in storedLimits.values.joined() { bases[row.id] = row }
    for row in storedOthers { bases[row.id] = row }
    return bases.filter { !added.contains($0.key) }
  }

  /// The stored episodes, for a fold to go on from.
  var storedEpisodes: PatternFold.Stored {
    var episodes = PatternFold.Stored()
    episodes.metrics = stored.mapValues { $0.map(\.episode) }
    episodes.silences = storedSilences.mapValues { $0.map(\.episode) }
    episodes.medications = storedMedications.mapValues { $0.map(\.episode) }
    episodes.limits = storedLimits.mapValues { $0.map(\.episode) }
    return episodes
  }

  /// Whether an alert of silence of a person is stored.
  func hasStoredSilence(_ person: Int) -> Bool {
    profile.silences.indices.contains {
      storedSilences[person * profile.silences.count + $0] != nil
    }
  }
}
