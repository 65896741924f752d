public import VigilModel

/// A thresholds file: the metrics to watch, when a day deviates, and when episodes begin and end.
///
/// ```swift
/// import ShippedThresholds
///
/// let file = Data(ShippedThresholds.named("v2") ?? [])
/// let thresholds = try Thresholds(json: file, file: "v2.json", digest: "")
/// print(thresholds.version, thresholds.recentDays)  // v2 3
/// print(thresholds.metrics[0].metric)  // deep_sleep_minutes
/// ```
///
/// Every difference between the profiles is a value in here; there is one engine. A metric is followed by one
/// of three detectors: `means` compares the last days with a baseline (specification, detection.md), `evidence`
/// asks whether a change is real and whether it matters (evidence.md), and `dose_evidence` asks the same of missed
/// doses (evidence-doses.md).
public struct Thresholds: Hashable, Sendable {
  /// The file's own name for itself, such as `v1`; stored with every run and alert.
  public var version: String
  /// SHA-256 of the file's bytes in lower-case hexadecimal.
  public var digest: String
  /// The number of days before an evaluation day from which observations count; of metrics under `means`.
  public var horizonDays: Int = 60
  /// The number of days, the evaluation day included, that a nightly run folds again.
  public var warmupDays: Int = 40
  public var merge: SourceMerge = .max
  /// The rules by which a day counts as one without the device; nil where a day with a row is worn.
  public var nonWear: NonWearSettings?
  /// Consecutive days of the recent window.
  public var recentDays: Int = 3
  public var baseline: BaselineSettings = .init()
  public var recovery: RecoverySettings = .init()
  public var episode: EpisodeSettings = .init()
  /// The settings of metrics under `evidence`; the ones before, where not said otherwise, are of `means`.
  public var evidence: EvidenceSettings = .init()
  /// The settings of the metrics together; nil where they are followed one by one only.
  public var combined: CombinedSettings?
  /// When days without any sign of life become an episode; nil where they never do.
  public var inactivity: InactivitySettings?
  /// When days with an overdue check-in become an episode; nil where they never do.
  public var checkInOverdue: OverdueSettings?
  /// The limits of values that hold for all persons, without a baseline.
  public var criticalLimits: [CriticalLimit] = []
  public var notify: NotifySettings = .init()
  /// The origin of the figures of `evidence`; nil where the file does not say.
  public var calibration: Calibration?
  /// Ascending by name.
  public var metrics: [MetricThresholds]

  /// The identity of the file.
  public var profile: Profile { Profile(version: version, digest: digest) }

  public init(version: String, digest: String, metrics: [MetricThresholds]) {
    self.version = version
    self.digest = digest
    self.metrics = metrics
  }

  /// Whether alerts of a person that are going on at one time are one event; otherwise each is an event of its
  /// own.
  public var groupsEvents: Bool { combined != nil }

  /// The number of days before an evaluation day whose values must be loaded.
  public var longestHorizonDays: Int {
    metrics.map { history(of: $0).horizonDays }.max() ?? horizonDays
  }

  /// The horizon of a metric, and the fewest observations within it that let a day be judged.
  public func history(of metric: MetricThresholds) -> (horizonDays: Int, fewest: Int) {
    switch metric.detector {
    case .means: (horizonDays, baseline.minTotalDays)
    case .evidence: (evidence.horizonDays, evidence.fewestObservations)
    case .doseEvidence: metric.doses.map { ($0.horizonDays, $0.fewestObservations) } ?? (0, 0)
    }
  }

  /// The series of silence of each person.
  public var silences: [SilenceSeries] {
    [
      inactivity.map(SilenceSeries.inactivity), checkInOverdue.map(SilenceSeries.checkInOverdue),
    ].compactMap(\.self)
  }

  /// The metrics that are columns of `wearable_daily_metrics`.
  public var wearableMetrics: [MetricThresholds] { metrics.filter { $0.source == .wearable } }

  /// The metric that comes from doses; nil where there is none.
  public var adherenceMetric: MetricThresholds? { metrics.first { $0.source == .adherence } }
}

/// The rule that makes one value of the values of several sources on one day.
///
/// ```swift
/// var thresholds = Thresholds(version: "mine", digest: "", metrics: [])
/// thresholds.merge = .prefer(["ring", "watch"])
/// print(thresholds.merge)  // prefer(["ring", "watch"])
/// ```
public enum SourceMerge: Hashable, Sendable {
  case max
  case min
  case mean
  /// The value of the first of these sources that has one; other sources only where none of these
  /// has, in the alphabetical order of their names.
  case prefer([String])
}

public struct BaselineSettings: Hashable, Sendable {
  public var mode: Mode = .rolling
  public var statistic: Statistic = .mean
  /// The most observations of the baseline pool.
  public var maxDays: Int = 21
  /// The fewest observations of the baseline pool; a smaller pool makes a day unknown.
  public var minDays: Int = 4
  /// The fewest observations within the horizon, the recent window included.
  public var minTotalDays: Int = 7
  /// The number of days after `active_since` from which a day that is normal against the rolling
  /// baseline ends an anchored episode; nil for never.
  public var rebaseAfterDays: Int?

  public init() {}

  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Every day is compared with the observations before it.
    case rolling
    /// While an episode is active, days are compared with the baseline it opened with.
    case anchored
  }

  public enum Statistic: String, Hashable, Sendable, CaseIterable {
    case mean
    case median
  }
}

public struct RecoverySettings: Hashable, Sendable {
  /// A clean day lies within this fraction of its baseline, or on its good side.
  public var within: Double = 0.05
  /// Clean days in a row that end an episode of each level.
  public var cleanDays: [AlertLevel: Int] = [.day3: 2, .day7: 2, .day14: 3, .day21: 3]

  public init() {}

  public func cleanDays(at level: AlertLevel) -> Int { cleanDays[level] ?? 2 }

  var mostCleanDays: Int { cleanDays.values.max() ?? 2 }
}

public struct EpisodeSettings: Hashable, Sendable {
  public var onInterruption: Interruption = .restart
  /// Unknown days in a row that end an episode with `no_data`; nil for never.
  public var maxUnknownDays: Int?
  /// Whether the level follows the duration down as well as up.
  public var levelMayFall: Bool = true

  public init() {}

  /// The meaning of deviating days that come back before resolution.
  public enum Interruption: String, Hashable, Sendable, CaseIterable {
    /// Another episode, which supersedes the first.
    case restart
    /// The same episode goes on.
    case `continue`
  }
}

public struct NotifySettings: Hashable, Sendable {
  /// Whether members are notified of the end of an alert that they were notified of.
  ///
  /// Needs an anchored baseline: a rolling one follows a lasting change until it seems to have ended.
  public var onRecovery: Bool = false
  /// Whether several alerts of one night for one recipient are merged into one notification.
  public var groupsByRecipient: Bool = false
  public var payloadDetail: PayloadDetail = .standard

  public init() {}
}

/// The rules by which one metric deviates.
///
/// ```swift
/// let sleep = MetricThresholds(
///   metric: MetricType("sleep_minutes"), unit: "min", pattern: .drop,
///   rules: [MetricRule(.percentDropAtLeast, 0.2), MetricRule(.absoluteDropBelow, 300)],
///   plausible: 0...1440)
/// print(sleep.rules.map(\.kind.rawValue))  // ["percent_drop_at_least", "absolute_drop_below"]
/// ```
public struct MetricThresholds: Hashable, Sendable {
  public var metric: MetricType
  public var unit: String
  public var pattern: PatternType
  public var source: Source
  /// One matching rule makes a day deviate; empty only under `dose_evidence`.
  public var rules: [MetricRule]
  /// Whether a deviating workout day neither opens nor extends an episode.
  public var isSuppressedOnWorkoutDays: Bool
  /// Values outside are treated as missing.
  public var plausible: ClosedRange<Double>?
  /// The settings of the detector `evidence`; nil where another follows the metric.
  public var evidence: MetricEvidence?
  /// The settings of the detector `dose_evidence`; nil where another follows the metric.
  public var doses: DoseEvidenceSettings?

  public init(
    metric: MetricType, unit: String, pattern: PatternType, source: Source = .wearable,
    rules: [MetricRule], isSuppressedOnWorkoutDays: Bool = false,
    plausible: ClosedRange<Double>? = nil, evidence: MetricEvidence? = nil
  ) {
    self.metric = metric
    self.unit = unit
    self.pattern = pattern
    self.source = source
    self.rules = rules
    self.isSuppressedOnWorkoutDays = isSuppressedOnWorkoutDays
    self.plausible = plausible
    self.evidence = evidence
  }

  /// The detector that follows the metric.
  public var detector: Detector {
    doses != nil ? .doseEvidence : evidence != nil ? .evidence : .means
  }

  /// The table that the values of a metric come from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    case wearable = "wearable_daily_metrics"
    case adherence = "dose_history"
  }
}

/// One way in which the recent mean can be too far from the baseline.
public struct MetricRule: Hashable, Sendable {
  public var kind: Kind
  /// A fraction of the baseline for percent rules, the metric's unit for absolute ones.
  public var threshold: Double

  public init(_ kind: Kind, _ threshold: Double) {
    self.kind = kind
    self.threshold = threshold
  }

  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case percentDropAtLeast = "percent_drop_at_least"
    case percentRiseAtLeast = "percent_rise_at_least"
    case absoluteDropAtLeast = "absolute_drop_at_least"
    case absoluteRiseAtLeast = "absolute_rise_at_least"
    /// The recent mean is below the threshold, whatever the baseline.
    case absoluteDropBelow = "absolute_drop_below"

    public var pattern: PatternType {
      switch self {
      case .percentDropAtLeast, .absoluteDropAtLeast, .absoluteDropBelow: .drop
      case .percentRiseAtLeast, .absoluteRiseAtLeast: .rise
      }
    }

    var isPercent: Bool {
      switch self {
      case .percentDropAtLeast, .percentRiseAtLeast: true
      case .absoluteDropAtLeast, .absoluteRiseAtLeast, .absoluteDropBelow: false
      }
    }
  }
}
