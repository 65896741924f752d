public import Foundation
public import VigilModel

/// The payload of a notification about one alert (specification, notifications.md section 4).
///
/// Holds ids, dates and the deviation; never a name, a measured value or free text.
public enum AlertPayload: Hashable, Sendable {
  case standard(Standard)
  case reference(Reference)

  /// All that a payload may say of an alert.
  public struct Standard: Hashable, Sendable {
    public let activeSince: Day
    /// The absolute limit that values are below, where they are not lower than usual; nil otherwise.
    public let belowLimit: Double?
    /// As a fraction; nil when the baseline is 0.
    public let deviation: Double?
    /// The side of what is usual on which the values are that `deviation` is of; nil for neither.
    public let direction: Direction?
    /// The days that the alert has lasted, up to the last one that counts.
    public let durationDays: Int
    public let evaluatedEndDate: Day
    /// `PlannedNotification.Kind.notificationType`.
    public let kind: String
    public let level: AlertLevel
    /// The id of the person that the alert is about.
    public let member: String
    /// The id of the medication that the alert is about; nil where it is about the person.
    public let medication: String?
    public let metric: MetricType
    /// The day on which evidence opened the alert, and which `deviation` is of; nil for an alert without.
    public let openedOn: Day?
    public let pattern: PatternType
    public let severity: Severity
    /// Days with a value in the window that `deviation` is of: the alert says "over the last 9 days, 38 %
    /// below usual"; nil for an alert without evidence.
    public let windowDays: Int?
    /// The contributing metrics of an alert of several together, the one with most evidence first; nil for others.
    public let metrics: [MetricType]?
    /// The metrics that took part without contributing; nil where `metrics` is.
    public let unchangedMetrics: [MetricType]?
    /// The counts of an alert of missed doses; nil for others.
    public let doses: Doses?

    /// A side of what is usual.
    public enum Direction: String, Hashable, Sendable, Codable {
      case lower
      case higher
    }

    /// A payload in which a deviation that no number can express counts as nil.
    public init(
      activeSince: Day, deviation: Double?, evaluatedEndDate: Day, kind: String, level: AlertLevel,
      series: SeriesKey, duration: Int, change: ValueChange? = nil, openedOn: Day? = nil,
      windowDays: Int? = nil, metrics: [MetricType]? = nil,
      unchangedMetrics: [MetricType]? = nil, doses: Doses? = nil
    ) {
      self.activeSince = activeSince
      durationDays = duration
      self.openedOn = openedOn
      (direction, belowLimit) =
        switch change {
        case .lower: (.lower, nil)
        case .higher: (.higher, nil)
        case .below(let limit): (nil, limit)
        case .unclear, nil: (nil, nil)
        }
      self.deviation = deviation.flatMap { $0.isFinite ? $0 : nil }
      self.evaluatedEndDate = evaluatedEndDate
      self.kind = kind
      self.level = level
      member = series.user.lowercased
      medication = series.medication?.lowercased
      metric = series.metric
      pattern = series.pattern
      severity = series.metric.severity(of: level)
      self.windowDays = windowDays
      self.metrics = metrics
      self.unchangedMetrics = unchangedMetrics
      self.doses = doses
    }
  }

  /// Ids, template and level: nothing that a lock screen could show of a person.
  public struct Reference: Hashable, Sendable {
    public let alertState: String
    public let level: AlertLevel
    public let template: String

    public init(alertState: UUID, level: AlertLevel, template: String) {
      self.alertState = alertState.lowercased
      self.level = level
      self.template = template
    }
  }

  /// The amount of detail.
  public var detail: PayloadDetail {
    switch self {
    case .standard: .standard
    case .reference: .reference
    }
  }
}

extension AlertPayload: Codable {
  private enum CodingKeys: CodingKey { case detail }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self =
      switch try container.decode(PayloadDetail.self, forKey: .detail) {
      case .standard: .standard(try Standard(from: decoder))
      case .reference: .reference(try Reference(from: decoder))
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(detail, forKey: .detail)
    switch self {
    case .standard(let payload): try payload.encode(to: encoder)
    case .reference(let payload): try payload.encode(to: encoder)
    }
  }
}

extension AlertPayload.Standard: Codable {
  private enum CodingKeys: String, CodingKey {
    case activeSince = "active_since"
    case belowLimit = "below_limit"
    case deviation
    case direction
    case doses
    case durationDays = "duration_days"
    case evaluatedEndDate = "evaluated_end_date"
    case kind
    case level
    case medication = "medication_id"
    case member = "member_user_id"
    case metric = "metric_type"
    case metrics
    case openedOn = "opened_on"
    case pattern = "pattern_type"
    case severity
    case unchangedMetrics = "unchanged_metrics"
    case windowDays = "window_days"
  }

  /// Writes a deviation that is nil as null, and leaves out other parts that are nil, such as the medication of an
  /// alert about the person.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(activeSince, forKey: .activeSince)
    try container.encodeIfPresent(belowLimit, forKey: .belowLimit)
    try container.encode(deviation, forKey: .deviation)
    try container.encodeIfPresent(direction, forKey: .direction)
    try container.encodeIfPresent(doses, forKey: .doses)
    try container.encode(durationDays, forKey: .durationDays)
    try container.encode(evaluatedEndDate, forKey: .evaluatedEndDate)
    try container.encode(kind, forKey: .kind)
    try container.encode(level, forKey: .level)
    try container.encodeIfPresent(medication, forKey: .medication)
    try container.encode(member, forKey: .member)
    try container.encode(metric, forKey: .metric)
    try container.encodeIfPresent(metrics, forKey: .metrics)
    try container.encodeIfPresent(openedOn, forKey: .openedOn)
    try container.encode(pattern, forKey: .pattern)
    try container.encode(severity, forKey: .severity)
    try container.encodeIfPresent(unchangedMetrics, forKey: .unchangedMetrics)
    try container.encodeIfPresent(windowDays, forKey: .windowDays)
  }
}

extension AlertPayload.Reference: Codable {
  private enum CodingKeys: String, CodingKey {
    case alertState = "alert_state_id"
    case level
    case template = "template_id"
  }
}

extension AlertPayload {
  /// Reads the payload of a queue row; nil for one that is not about one alert.
  init?(text: String) {
    guard let payload = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = payload
  }

  /// The JSON that its queue row holds, keys ascending.
  public var text: String { canonicalText(of: self) }
}

/// Returns the JSON of a payload: its parts are words, ids, days and finite numbers, which have one.
func canonicalText(of payload: some Encodable) -> String {
  do {
    return try CanonicalJSON.text(of: payload)
  } catch {
    preconditionFailure("a payload that JSON cannot express: \(error)")
  }
}
