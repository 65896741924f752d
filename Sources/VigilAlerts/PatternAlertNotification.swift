public import Foundation
public import VigilModel

/// An event of a pattern alert to notify of, before it becomes queue rows.
public struct PatternAlertNotification: Hashable, Sendable {
  public var occasion: Occasion
  public var series: SeriesKey
  public var alertStateID: UUID
  /// The level that the alert has reached, or had when it ended.
  public var level: AlertLevel
  public var activeSince: Day
  /// The evaluation day on which the alert reached this level, or ended.
  public var evaluatedDay: Day
  /// The days that the alert has lasted, up to the last one that counts.
  public var duration: Int
  /// Deviation as a fraction; nil when the baseline is 0.
  public var deviation: Double?
  /// Days with a value in the window that `deviation` is of; nil for an alert without evidence.
  public var windowDays: Int?
  /// The day on which evidence opened the alert, with the window's `deviation`; nil for an alert without.
  public var openedOn: Day?
  /// The newest values beside the usual ones; nil where the alert does not compare them.
  public var change: ValueChange?
  /// The counts of an alert of missed doses; nil for others.
  public var doses: AlertPayload.Doses?
  /// The contributing metrics of an alert of several together; nil for an alert of one.
  public var metrics: [MetricType]?
  /// The metrics that took part without contributing; nil where `metrics` is.
  public var unchangedMetrics: [MetricType]?
  /// The facts about the alert that count when its notification is planned.
  public var facts: DeliveryFacts

  public enum Occasion: Hashable, Sendable {
    case level
    case recovery
  }

  /// A notification of an alert that goes on up to its evaluated day.
  public init(
    occasion: Occasion = .level, series: SeriesKey, alertStateID: UUID, level: AlertLevel,
    activeSince: Day, evaluatedDay: Day, deviation: Double?, windowDays: Int? = nil,
    facts: DeliveryFacts = []
  ) {
    duration = evaluatedDay - activeSince + 1
    self.occasion = occasion
    self.series = series
    self.alertStateID = alertStateID
    self.level = level
    self.activeSince = activeSince
    self.evaluatedDay = evaluatedDay
    self.deviation = deviation
    self.windowDays = windowDays
    self.facts = facts
  }

  /// A notification of an episode, with what its evidence says.
  ///
  /// - Parameters:
  ///   - occasion: What has happened.
  ///   - series: The subject, metric and pattern of the alert.
  ///   - alertStateID: The alert in whose name it is.
  ///   - level: The level that the alert has reached, or had when it ended.
  ///   - episode: The episode, whose newest days may be later than the evaluated one.
  ///   - evaluatedDay: The day on which the alert reached the level, or ended.
  ///   - duration: The days that it had lasted by then.
  ///   - figures: The figures that it had then; nil where no metric is compared with what is usual.
  ///   - limit: The absolute limit below which values of the metric deviate; nil for none.
  ///   - facts: The facts by which it is decided whether it goes out.
  public init(
    occasion: Occasion = .level, series: SeriesKey, alertStateID: UUID, level: AlertLevel,
    of episode: Episode, evaluatedDay: Day, duration: Int, figures: EpisodeFigures?,
    limit: Double? = nil, facts: DeliveryFacts = []
  ) {
    self.init(
      occasion: occasion, series: series, alertStateID: alertStateID, level: level,
      activeSince: episode.activeSince, evaluatedDay: evaluatedDay, deviation: figures?.deviation,
      windowDays: episode.opening?.windowDays, facts: facts)
    self.duration = duration
    openedOn = windowDays == nil ? nil : episode.opening?.openedOn
    change = figures.map { ValueChange($0, of: series.pattern, limit: limit) }
    doses = episode.doses.map { AlertPayload.Doses($0, on: evaluatedDay) }
    metrics = episode.combined?.contributions.map(\.metric)
    unchangedMetrics = episode.combined?.unchanged
  }

  /// The queue rows for some recipients, one each a channel, with one payload.
  ///
  /// A recipient who has switched every channel off gets a skipped row for the app, so that the
  /// queue shows why they were not notified.
  ///
  /// - Parameters:
  ///   - recipients: The persons who are notified, with their channels and quiet hours.
  ///   - policy: The channels and times of all notifications.
  ///   - now: When the rows are ready; they are due when the recipient may be notified.
  public func planned(
    for recipients: [(id: UUID, preferences: DeliveryPreferences)],
    by policy: NotificationPolicy = NotificationPolicy(), at now: Timestamp
  ) -> [PlannedNotification] {
    guard !recipients.isEmpty else { return [] }
    var draft = NotificationDraft(
      kind: kind, member: series.user, alert: alertStateID, metric: textMetric, level: level,
      payload: payload(policy.payloadDetail).text,
      // A recovery is no reason to wake a recipient.
      priority: occasion == .recovery ? .normal : .init(series.metric.severity(of: level)),
      occasion: occasion, facts: facts)
    // A family sees at once that an alert is about a medication.
    let mayJoinGroup =
      policy.groupsByRecipient && occasion == .level && series.medication == nil
    draft.groupNight = mayJoinGroup ? evaluatedDay : nil
    return recipients.flatMap { draft.planned(for: $0.id, preferring: $0.preferences, at: now) }
  }

  /// The person that the notification is about.
  public var member: UUID { series.user }

  private var kind: PlannedNotification.Kind {
    switch occasion {
    case .level: .patternAlert
    case .recovery: .patternRecovery
    }
  }

  /// The metric, where it has texts of its own.
  private var textMetric: MetricType? { series.medication == nil ? nil : series.metric }

  /// Returns the payload of its queue rows.
  public func payload(_ detail: PayloadDetail) -> AlertPayload {
    switch detail {
    case .reference:
      .reference(
        .init(
          alertState: alertStateID, level: level, template: kind.templateID(level, of: textMetric)))
    case .standard:
      .standard(
        .init(
          activeSince: activeSince, deviation: deviation, evaluatedEndDate: evaluatedDay,
          kind: kind.notificationType, level: level, series: series, duration: duration,
          change: change, openedOn: openedOn, windowDays: windowDays, metrics: metrics,
          unchangedMetrics: unchangedMetrics, doses: doses))
    }
  }
}

extension PlannedNotification.Priority {
  /// The priority of an alert of this severity.
  public init(_ severity: Severity) {
    self =
      switch severity {
      case .watch: .normal
      case .attention: .high
      case .critical: .critical
      }
  }
}
