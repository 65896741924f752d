import Foundation
import VigilDetection
import VigilModel
import VigilStorage

/// The series of a batch as one profile sees them: its observations, and the episodes that are stored.
final class ProfileSeries {
  let profile: ProfilePlan
  /// The metrics of detection, in the order of their series.
  let metrics: [MetricThresholds]
  /// The metrics that come from wearables.
  let block: ObservationBlock
  /// Counts rows and rejected values of the batch.
  let observations: ObservationBuilder
  /// The days on which the persons gave a sign of life; nil where the profile does not follow them.
  let signs: SignsOfLife?
  /// The check-ins of the persons, where the run follows them.
  private(set) var checkIns = LoadedCheckIns()
  /// The sensitivities of the persons, where the run follows patterns.
  var sensitivities = LoadedSensitivities()
  private(set) var persons: [UUID] = []
  /// Whether doses are signs of all persons, and not only of those whom they can matter to.
  var readsAllDoses = false
  /// Rows that the window may touch, by series index and in order of `active_since`.
  private(set) var stored: [Int: [PatternAlertState]] = [:]
  /// The same of the series of silence.
  private(set) var storedSilences: [Int: [PatternAlertState]] = [:]
  /// The same of the series of single medications, in no order; none where the profile does not follow them.
  private(set) var storedMedications: [PatternAlertState] = []
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
    block = ObservationBlock(
      personCount: 0, metricCount: profile.wearableMetrics.count, days: profile.window.loaded)
    observations = ObservationBuilder(
      block: block, metrics: profile.wearableMetrics, thresholds: profile.thresholds,
      wearColumns: profile.wearColumns)
    signs =
      profile.thresholds.inactivity == nil
      ? nil : SignsOfLife(personCount: 0, days: profile.window.loaded)
    observations.signs = signs
  }

  /// Empties it for other persons; their rows come next.
  func begin(_ persons: [UUID]) {
    self.persons = persons
    stored = [:]
    storedSilences = [:]
    storedMedications = []
    readAlerts = []
    storedOthers = []
    provisional = []
    signs?.reset(personCount: persons.count)
    observations.wearDays?.reset(personCount: persons.count)
    checkIns = LoadedCheckIns()
    sensitivities = LoadedSensitivities()
    block.reset(personCount: persons.count, days: profile.window.loaded)
    observations.begin()
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
      uniqueKeysWithValues: persons.enumerated().map { ($0.element, $0.offset) })
    var states: [Int: [PatternAlertState]] = [:]
    let known = try readBases(from: reader, medications: medications)
    var silences: [Int: [PatternAlertState]] = [:]
    var others: [PatternAlertState] = []
    for state in known {
      guard let person = personIndex[state.series.user] else { continue }
      if state.series.pattern == .medication {
        storedMedications.append(state)
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
    func sorted(_ states: [Int: [PatternAlertState]]) -> [Int: [PatternAlertState]] {
      states.mapValues { $0.sorted { $0.episode.activeSince < $1.episode.activeSince } }
    }
    (stored, storedSilences) = (sorted(states), sorted(silences))
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
      of: persons, in: profile.thresholds.profile, touchedSince: first)
    if profile.adherenceMetric?.doses != nil, let stored = medications?.touched(since: first) {
      known += stored.filter {
        $0.profile == profile.thresholds.profile
          && BlockMedicationFold.series.contains($0.series.metric)
      }
    }
    provisional = try reader.provisionalAlerts(of: persons)
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
    let all =
      stored.values.joined() + Array(storedSilences.values.joined()) + storedMedications
      + storedOthers
    return Dictionary(all.map { ($0.id, $0) }) { $1 }.filter { !added.contains($0.key) }
  }

  /// Takes the check-ins of the persons, which are signs of life.
  func take(_ checkIns: LoadedCheckIns) {
    self.checkIns = checkIns
    guard let signs else { return }
    for (person, history) in checkIns.histories {
      for day in history.days { signs.add(person: person, day: day) }
    }
  }

  /// The key of the series of silence at an index.
  func key(ofSilence series: Int) -> SeriesKey {
    let (person, place) = series.quotientAndRemainder(dividingBy: profile.silences.count)
    return SeriesKey(
      user: persons[person], metric: profile.silences[place].metric, pattern: .silence)
  }

  /// The key of the series at an index of the block.
  func key(ofSeries series: Int) -> SeriesKey {
    let (person, place) = series.quotientAndRemainder(dividingBy: profile.seriesPerPerson)
    guard place < metrics.count else {
      return SeriesKey(user: persons[person], metric: .combined, pattern: .worse)
    }
    let metric = metrics[place]
    return SeriesKey(user: persons[person], metric: metric.metric, pattern: metric.pattern)
  }
}
