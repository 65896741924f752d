/// One row of `medication_alerts`: something about a medication that a family is notified of (specification,
/// adherence.md section 5).
///
/// ```swift
/// guard let day = Day("2026-06-30") else { return }
/// let alert = MedicationAlert(
///   user: UUID(name: "anna"), medication: UUID(name: "tablets"), kind: .missedStreak,
///   activeSince: day - 4, lastFound: day)
/// print(alert.level, alert.severity)  // day7 attention
/// ```
public struct MedicationAlert: Hashable, Sendable {
  public var user: UUID
  public var medication: UUID
  public var kind: Kind
  /// The first day on which it was found; it identifies the alert among those of its medication and kind.
  public var activeSince: Day
  /// The last day on which it was found.
  public var lastFound: Day
  public var level: AlertLevel
  /// Nil while it is active.
  public var resolution: Resolution?
  /// The highest level that members were notified of; nil before the first.
  public var lastNotifiedLevel: AlertLevel?
  public var lastNotifiedAt: Timestamp?
  /// The highest level of which a shadow run has planned a notification.
  public var shadowNotifiedLevel: AlertLevel?
  public var snoozeUntil: Day?
  public var dismissedAt: Timestamp?
  public var acknowledgedAt: Timestamp?
  public var acknowledgedBy: UUID?

  /// An active alert of which no one was notified, at the level of its last day.
  public init(user: UUID, medication: UUID, kind: Kind, activeSince: Day, lastFound: Day) {
    self.user = user
    self.medication = medication
    self.kind = kind
    self.activeSince = activeSince
    self.lastFound = lastFound
    level = .day3
    level = level(on: lastFound)
  }

  /// The word for what an alert is about; values of the column `kind`.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Doses of the medication were missed in a row.
    case missedStreak = "missed_streak"
    /// The rest of the medication lasts a few days only.
    case refillDue = "refill_due"
  }

  /// The end of an alert.
  public struct Resolution: Hashable, Sendable {
    public var day: Day
    public var reason: Reason

    public init(day: Day, reason: Reason) {
      self.day = day
      self.reason = reason
    }

    public enum Reason: String, Sendable, Codable, CaseIterable {
      /// It was not found on the day.
      case recovered
      /// Late data do not support it.
      case retracted
    }
  }

  public var isActive: Bool { resolution == nil }
  public var isRetracted: Bool { resolution?.reason == .retracted }

  /// UUIDv5 of the natural key, the same in every database and mode.
  public var id: UUID {
    UUID(
      name: "medication_alerts:\(user.lowercased):\(medication.lowercased):\(kind.rawValue):"
        + "\(activeSince)")
  }

  /// At least attention: the insight that doses were missed, or that a refill is due, asks for it at once.
  public var severity: Severity { Self.severity(of: level) }

  /// The level on a day from `activeSince` on.
  ///
  /// Days count as those of an episode do: the first has duration 3.
  public func level(on day: Day) -> AlertLevel { AlertLevel(duration: day - activeSince + 3) }

  /// The severity of an alert about a medication of a level.
  public static func severity(of level: AlertLevel) -> Severity {
    level.severity == .watch ? .attention : level.severity
  }
}
