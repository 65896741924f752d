import Foundation
import ReferenceKernels
import ShippedThresholds
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

/// The public data sets from files to alert states, against the slow twin.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct PublicDataTests {
  @Test(arguments: ["lifesnaps", "welltory_covid", "fitbit2016"], DatabaseKind.allCases)
  func backfillAgreesWithReference(dataset: String, kind: DatabaseKind) throws {
    let folder = try #require(SharedFolder.url("datasets/\(dataset)"))
    let database = try BatchDatabase(kind)
    try database.importFiles(of: folder)
    for profile in ShippedThresholds.names {
      try expectEpisodesOfReference(profile, in: database.copy())
    }
  }

  private func expectEpisodesOfReference(_ profile: String, in database: BatchDatabase) throws {
    let days = try #require(try database.storage.metricDays())
    let thresholds = try BatchDatabase.thresholds(profile)
    try database.run(days, thresholds: thresholds, workers: 2)

    let states = Dictionary(
      grouping: try database.storage.alertStates(matching: AlertFilter()), by: \.series)
    let histories = try histories(in: database, thresholds: thresholds)
    let workouts = try workouts(in: database)
    var found = 0
    for (series, values) in histories {
      let metric = try #require(thresholds.metrics.first { $0.metric == series.metric })
      let rows = (states[series] ?? []).sorted { $0.episode.activeSince < $1.episode.activeSince }
      found += rows.count
      if metric.evidence != nil, let twin = Self.twin(of: metric.metric, in: profile) {
        let episodes = Self.episodes(
          of: twin, values, workouts: workouts[series.user] ?? [], through: days)
        #expect(rows.map(Self.course) == episodes.map(Self.course), "\(series)")
        continue
      }
      let reference = ReferenceEpisodes(
        values, workouts: workouts[series.user] ?? [], metric: metric, thresholds: thresholds,
        from: days.lowerBound, notifyingFrom: days.lowerBound, to: days.upperBound)
      #expect(rows.map(Self.summary) == reference.episodes.map(Self.summary), "\(series)")
    }
    if thresholds.combined != nil {
      found += try expectCombinedOfReference(
        profile, states: states, histories: histories, workouts: workouts, days: days)
    }
    let ofMetrics = states.filter { $0.key.pattern != .silence }
    #expect(found == ofMetrics.values.reduce(0) { $0 + $1.count })
    #expect(found > (profile.hasPrefix("v3") ? 0 : 50))
  }

  private static func twins(of profile: String) -> [ReferenceEvidence.Metric] {
    ReferenceEvidence.Metric.v3 + (profile == "v3-plus" ? ReferenceEvidence.Metric.further : [])
  }

  private static func twin(
    of metric: MetricType, in profile: String
  ) -> ReferenceEvidence.Metric? {
    var twin = Self.twins(of: profile).first { $0.name == metric.rawValue }
    guard profile == "v3-strict", let thresholds = twin?.thresholds else { return twin }
    twin?.thresholds = thresholds.map { ($0.knot, $0.c + 0.35) }
    return twin
  }

  /// Compares the episodes of the metrics together; returns their number.
  private func expectCombinedOfReference(
    _ profile: String, states: [SeriesKey: [PatternAlertState]],
    histories: [SeriesKey: [Day: Double]], workouts: [UUID: Set<Day>], days: ClosedRange<Day>
  ) throws -> Int {
    var found = 0
    for (user, own) in Dictionary(grouping: histories, by: \.key.user) {
      let members = Self.twins(of: profile).compactMap { metric in
        own.first { $0.key.metric.rawValue == metric.name }.flatMap { series in
          Self.twin(of: series.key.metric, in: profile).map { twin in
            ReferenceCombined.Member(
              twin,
              series: series.value.sorted { $0.key < $1.key }
                .map { (day: Int($0.key.ordinal), value: $0.value) }, sources: [:])
          }
        }
      }
      var reference = ReferenceCombined(members: members)
      if profile == "v3-strict" {
        reference.thresholds = reference.thresholds.map { $0 + 0.25 }
      }
      let expected = reference.episodes(
        days: Int(days.lowerBound.ordinal)...Int(days.upperBound.ordinal),
        workouts: Set((workouts[user] ?? []).map { Int($0.ordinal) }))
      let key = SeriesKey(user: user, metric: .combined, pattern: .worse)
      let rows = (states[key] ?? []).sorted { $0.episode.activeSince < $1.episode.activeSince }
      #expect(rows.map(Self.combinedCourse) == expected.map { Self.course($0, of: reference) })
      found += rows.count
    }
    return found
  }

  private static func combinedCourse(_ state: PatternAlertState) -> String {
    let (episode, combined) = (state.episode, state.episode.combined)
    let metrics = combined?.contributions.map { "\($0.metric) \(digits($0.z))" } ?? []
    return "\(episode.activeSince.ordinal) \(combined?.openedOn.ordinal ?? 0) \(episode.duration)"
      + " \(episode.level.rawValue) \(episode.resolution?.day.ordinal ?? 0)"
      + " \(episode.resolution?.reason.rawValue ?? "") \(combined?.windowDays ?? 0)"
      + " \(digits(combined?.evidence)) \(metrics) \(combined?.unchanged.count ?? 0)"
  }

  private static func course(
    _ found: ReferenceCombined.Episode, of reference: ReferenceCombined
  ) -> String {
    let metrics = found.contributions.map {
      "\(reference.members[$0.member].twin.metric.name) \(digits($0.z))"
    }
    return "\(found.activeSince) \(found.openedOn) \(found.duration) \(found.level)"
      + " \(found.resolvedOn ?? 0) \(found.reason ?? "") \(found.window)"
      + " \(digits(found.evidence)) \(metrics) \(found.unchanged.count)"
  }

  /// The episodes that the twin finds; each person of these data sets has one device.
  private static func episodes(
    of twin: ReferenceEvidence.Metric, _ values: [Day: Double], workouts: Set<Day>,
    through days: ClosedRange<Day>
  ) -> [ReferenceEvidenceEpisode] {
    let series = values.sorted { $0.key < $1.key }.map {
      (day: Int($0.key.ordinal), value: $0.value)
    }
    return ReferenceEvidence(metric: twin).episodes(
      days: Int(days.lowerBound.ordinal)...Int(days.upperBound.ordinal), series: series,
      workouts: Set(workouts.map { Int($0.ordinal) }))
  }

  private static func course(_ state: PatternAlertState) -> String {
    let (episode, evidence) = (state.episode, state.episode.evidence)
    return "\(episode.activeSince.ordinal) \(evidence?.openedOn.ordinal ?? 0) \(episode.duration)"
      + " \(episode.level.rawValue) \(episode.resolution?.day.ordinal ?? 0)"
      + " \(episode.resolution?.reason.rawValue ?? "") \(evidence?.windowDays ?? 0)"
      + " \(digits(evidence?.z)) \(digits(episode.figures.baseline.value))"
  }

  private static func course(_ found: ReferenceEvidenceEpisode) -> String {
    "\(found.activeSince) \(found.openedOn) \(found.duration) \(found.level)"
      + " \(found.resolvedOn ?? 0) \(found.reason ?? "") \(found.window.k)"
      + " \(digits(found.window.z)) \(digits(found.anchor.value))"
  }

  private static func summary(_ state: PatternAlertState) -> String {
    let episode = state.episode
    return "\(episode.activeSince) \(episode.lastEvaluated) \(episode.duration)"
      + " \(episode.level.rawValue) \(episode.resolution?.day.description ?? "active")"
      + " \(episode.resolution?.reason.rawValue ?? "") \(state.shadowNotifiedLevel?.rawValue ?? 0)"
      + " \(digits(episode.figures.baseline.value)) \(digits(episode.figures.recent.value))"
      + " \(digits(episode.figures.deviation))"
  }

  private static func summary(_ found: ReferenceEpisodes.Found) -> String {
    "\(found.activeSince) \(found.lastEvaluated) \(found.duration) \(found.level.rawValue)"
      + " \(found.resolvedOn?.description ?? "active") \(found.reason ?? "")"
      + " \(found.notifiedLevel?.rawValue ?? 0) \(digits(found.baseline)) \(digits(found.recent))"
      + " \(digits(found.deviation))"
  }

  private static func digits(_ value: Double?) -> String {
    value.map { "\(($0 * 1e8).rounded() / 1e8)" } ?? "none"
  }

  /// Observations by series, cleaned as the specification says, from plain rows.
  private func histories(
    in database: BatchDatabase, thresholds: Thresholds
  ) throws -> [SeriesKey: [Day: Double]] {
    let (columns, rows) = try database.database.result(of: "SELECT * FROM wearable_daily_metrics")
    var days: [UUID: [Day: [ReferenceWear.Row]]] = [:]
    for values in rows {
      let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
      let user = try #require(row["user_id"]?.flatMap { UUID(uuidString: $0) })
      let day = try #require(row["metric_date"]?.flatMap { Day($0) })
      var numbers: [String: Double] = [:]
      for metric in InputTable.wearableMetrics.map(\.rawValue) {
        numbers[metric] = row[metric]?.flatMap { Double($0) }
      }
      days[user, default: [:]][day, default: []].append(
        .init(source: row["source"]?.flatMap { $0 } ?? "", values: numbers))
    }
    var result: [SeriesKey: [Day: Double]] = [:]
    for (user, days) in days {
      let wear = thresholds.nonWear.map {
        ReferenceWear(days, thresholds: thresholds, settings: $0)
      }
      for (day, rows) in days where wear?.notWorn.contains(day) != true {
        for metric in thresholds.wearableMetrics {
          let name = metric.metric.rawValue
          guard let value = rows[0].values[name], metric.plausible?.contains(value) ?? true,
            wear?.partWorn[day]?.contains(name) != true
          else { continue }
          let key = SeriesKey(user: user, metric: metric.metric, pattern: metric.pattern)
          result[key, default: [:]][day] = value
        }
      }
    }
    return result
  }

  private func workouts(in database: BatchDatabase) throws -> [UUID: Set<Day>] {
    let (_, rows) = try database.database.result(
      of: "SELECT user_id, metric_date FROM exercise_sessions")
    var result: [UUID: Set<Day>] = [:]
    for row in rows {
      guard let user = row[0].flatMap({ UUID(uuidString: $0) }),
        let day = row[1].flatMap({ Day($0) })
      else { continue }
      result[user, default: []].insert(day)
    }
    return result
  }
}
