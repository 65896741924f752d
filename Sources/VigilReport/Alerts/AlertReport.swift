public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil alerts show`: an alert, the actions of members, and its notifications with
/// their outcomes.
public struct AlertReport: Sendable {
  public let alert: PatternAlertState
  /// The other alerts of its event, in the order of their first days.
  public let others: [PatternAlertState]
  /// In order of time.
  public let actions: [AlertAction]
  /// The notifications of the live queue.
  public let notifications: [QueuedNotification]
  /// The notifications that shadow nights would have sent.
  public let shadowNotifications: [QueuedNotification]
  let externalIDs: [UUID: String]
  /// Nil where the course of the episode is not known.
  public var course: EpisodeCourse?
  /// The ids of those of its event that no night has confirmed yet.
  public var provisional: Set<UUID> = []
  /// The absolute limits of its profile.
  public var limits = AlertLimits()
  /// Of an alert about all doses of a person, those about single medications that fall into its days: they are not sent
  /// meanwhile.
  public var medications: [PatternAlertState] = []
  /// The limit of the person that the last value is beyond; nil for others, and for a limit of the thresholds.
  public var setter: PersonLimit?
  /// The calls about the alerts of its event, by level and step.
  public var calls: [EscalationRecord] = []

  /// - Parameters:
  ///   - alert: The alert.
  ///   - others: The other alerts of its event.
  ///   - actions: What persons did with the event, oldest first.
  ///   - notifications: Rows of the event in the queue.
  ///   - shadowNotifications: Rows of the event in the shadow queue.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(
    alert: PatternAlertState, others: [PatternAlertState] = [], actions: [AlertAction],
    notifications: [QueuedNotification], shadowNotifications: [QueuedNotification],
    externalIDs: [UUID: String] = [:]
  ) {
    self.alert = alert
    self.others = others.sorted {
      ($0.episode.activeSince, $0.series) < ($1.episode.activeSince, $1.series)
    }
    self.actions = actions
    self.notifications = notifications
    self.shadowNotifications = shadowNotifications
    self.externalIDs = externalIDs
  }
}

extension AlertReport: Report {
  public func text(style: TextStyle) -> String {
    let width = min(style.width ?? 79, 79)
    var text = (alert.sentence(limits) + ".").wrapped(width: width) + "\n\n"
    text += TextTable(pairs: pairs, indent: "").render(style)
    if !others.isEmpty { text += "\nIn the same event\n" + othersTable.render(style) }
    text += history.text(style)
    text += EscalationCalls(records: calls, externalIDs: externalIDs).text(style)
    if notifications.isEmpty, shadowNotifications.isEmpty {
      text +=
        "\nNo queue has a notification of this \(others.isEmpty ? "alert" : "event").\n"
    }
    return text
  }

  private var history: AlertHistory {
    AlertHistory(
      actions: actions, notifications: notifications, shadowNotifications: shadowNotifications,
      externalIDs: externalIDs)
  }

  private var pairs: [(String, String)] {
    let episode = alert.episode
    return [
      ("Alert", alert.id.lowercased),
      ("Person", PersonText.full(alert.series.user, externalIDs)),
    ] + subject + [
      ("Level", "\(episode.level.rawValue), \(alert.severity.rawValue)"),
      (
        "Since",
        "\(episode.activeSince), \(NumberText.count(episode.duration, "day")), evaluated up to"
          + " \(episode.lastEvaluated)"
      ),
    ]
      + figures + ofMedications + [
        ("Worst", course?.worst?.words ?? "–"),
        ("State", stateText),
        ("Snoozed", alert.snoozeUntil.map { "until \($0)" } ?? "–"),
        ("Dismissed", alert.dismissedAt?.minuteText ?? "–"),
        ("Acknowledged", history.acknowledged(alert.acknowledgedAt, by: alert.acknowledgedBy)),
        ("Notified", AlertHistory.notified(alert.lastNotifiedLevel, alert.lastNotifiedAt)),
        ("Shadow notified", AlertHistory.notified(alert.shadowNotifiedLevel, nil)),
        ("Thresholds", "\(alert.profile.version), SHA-256 \(alert.profile.digest)"),
        ("Run", alert.runID.lowercased),
        ("Computed", alert.computedAt.minuteText),
      ]
  }

  /// The subject, besides the person.
  private var subject: [(String, String)] {
    let metric = alert.series.metric.words
    guard let medication = alert.series.medication else {
      return [("Metric", "\(metric), \(alert.series.pattern.rawValue.replacing("_", with: " "))")]
    }
    return [("About", metric), ("Medication", medication.lowercased)]
  }

  /// The figures that the episode was found with; of a refill, and of doses without evidence, the days say all.
  private var figures: [(String, String)] {
    let episode = alert.episode
    if let words = alert.medicationWords {
      if let doses = episode.doses { return doses.pairs(words) }
      return alert.series.metric == .missedDose ? [("Dose", words)] : []
    }
    if let combined = episode.combined { return combined.pairs }
    if let words = alert.silenceWords {
      let last = ("Last sign", episode.figures.baseline.end.description)
      return [("Silence", words)] + (alert.series.metric == .inactivity ? [last] : [])
    }
    let text = alert.series.metric.text(of:)
    if let limit = episode.limit {
      let (last, bound) = (episode.figures.recent, episode.figures.baseline.value)
      let setter = setter.map { ", set by \($0.setBy.terminalSafe) until \($0.days.upperBound)" }
      return [
        ("Limit", text(bound) + (setter ?? ", of the thresholds")),
        ("Last beyond", "\(text(last.value)) on \(last.end)"),
        (
          "Opened",
          "\(limit.openedOn), \(text(limit.value)), by "
            + NumberText.count(limit.days, "value") + " beyond \(text(limit.limit))"
        ),
      ]
    }
    func window(_ window: EpisodeFigures.Window) -> String {
      return "\(text(window.value)), \(window.start)..\(window.end), "
        + NumberText.count(window.count, "day") + " with a value"
    }
    return [
      ("Change", episode.figures.deviation.map(NumberText.change) ?? "–"),
      ("Baseline", window(episode.figures.baseline)),
      ("Recent", window(episode.figures.recent)),
    ] + (episode.evidence?.pairs ?? episode.doses.map { $0.pairs($0.countsText) } ?? [])
  }

  /// A line for each medication of which nothing is taken.
  private var ofMedications: [(String, String)] {
    medications.compactMap { other in
      other.series.medication.map { id in
        let end = other.episode.resolution.map { ", until \($0.day - 1)" } ?? ""
        return ("Not taken", "medication \(id.lowercased) since \(other.episode.activeSince)\(end)")
      }
    }
  }

  private var stateText: String {
    state(of: alert, AlertStateWords(alert, course, today: nil))
  }

  private func state(of alert: PatternAlertState, _ words: AlertStateWords) -> String {
    provisional.contains(alert.id) ? "\(words.state), provisional" : words.state
  }

  private var othersTable: TextTable {
    var table = TextTable([
      .init("Alert"), .init("Level", .right), .init("Metric"), .init("Since"), .init("State"),
    ])
    table.indent = "  "
    table.rows = others.map { other in
      [
        .init(other.id.shortened), .init(String(other.episode.level.rawValue)),
        .init(other.episode.combined?.metricsInWords ?? other.series.metric.words),
        .init(other.episode.activeSince.description),
        .init(state(of: other, AlertStateWords(other, nil, today: nil))),
      ]
    }
    return table
  }

  public func encode(to encoder: any Encoder) throws {
    func row(_ alert: PatternAlertState, _ course: EpisodeCourse? = nil) -> JSONFields {
      alert.fields(
        externalIDs, isProvisional: provisional.contains(alert.id), course: course, limits: limits)
    }
    var fields: JSONFields = [
      "alert": row(alert, course),
      "others": others.map { row($0) },
      "actions": actions.map { $0.fields(externalIDs) },
      "notifications": notifications.map { $0.fields(externalIDs) },
      "shadow_notifications": shadowNotifications.map { $0.fields(externalIDs) },
    ]
    // Left out where there is none.
    if !medications.isEmpty { fields["medications"] = medications.map { row($0) } }
    if let calls = EscalationCalls(records: calls, externalIDs: externalIDs).fields {
      fields["calls"] = calls
    }
    try fields.encode(to: encoder)
  }
}
