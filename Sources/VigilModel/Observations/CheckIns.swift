/// The check-ins of a person that matter to a run, and how often they are due (specification, silence.md section 7).
///
/// ```swift
/// guard let noon = Timestamp("2026-06-01T12:00:00Z") else { return }
/// let plan = CheckInPlan(intervalMinutes: 24 * 60, graceMinutes: 120, startsAt: noon)
/// let checkIns = CheckIns(times: [noon], plan: plan)
/// print(plan.deadline(after: checkIns.times.last))  // 2026-06-02T14:00:00.000000Z
/// ```
public struct CheckIns: Hashable, Sendable {
  /// In order.
  public var times: [Timestamp]
  /// Nil where no check-in is due.
  public var plan: CheckInPlan?

  public init(times: [Timestamp] = [], plan: CheckInPlan? = nil) {
    self.times = times
    self.plan = plan
  }

  public var isEmpty: Bool { times.isEmpty && plan == nil }
}

/// The plan by which a person is to check in: one row of `check_in_plans`.
public struct CheckInPlan: Hashable, Sendable {
  /// Above 0.
  public var intervalMinutes: Int
  /// 0 or more.
  public var graceMinutes: Int
  /// When the first interval begins.
  public var startsAt: Timestamp
  /// Minutes before the end of the interval at which the person is reminded; nil for no reminder.
  public var reminderMinutes: Int?

  public init(
    intervalMinutes: Int, graceMinutes: Int, startsAt: Timestamp, reminderMinutes: Int? = nil
  ) {
    self.intervalMinutes = intervalMinutes
    self.graceMinutes = graceMinutes
    self.startsAt = startsAt
    self.reminderMinutes = reminderMinutes
  }

  /// The longest interval, and the longest grace: ten years.
  public static let mostMinutes = 5_256_000

  /// Whether its numbers can be used.
  public var isUsable: Bool {
    (1...Self.mostMinutes).contains(intervalMinutes)
      && (0...Self.mostMinutes).contains(graceMinutes)
  }

  /// The instant after which a check-in is overdue.
  ///
  /// - Parameter last: The newest check-in; nil where there is none.
  public func deadline(after last: Timestamp?) -> Timestamp {
    intervalStart(after: last).adding(
      seconds: Int64(intervalMinutes.addingClamped(graceMinutes)).multipliedClamped(by: 60))
  }

  /// The instant at which the interval begins that ends with the next check-in.
  ///
  /// - Parameter last: The newest check-in; nil where there is none.
  public func intervalStart(after last: Timestamp?) -> Timestamp { max(last ?? startsAt, startsAt) }

  /// The instant from which on the person is reminded; nil where the plan has no reminder that can be used.
  ///
  /// - Parameter last: The newest check-in; nil where there is none.
  public func reminder(after last: Timestamp?) -> Timestamp? {
    guard let reminderMinutes, isUsable, (1..<intervalMinutes).contains(reminderMinutes) else {
      return nil
    }
    return intervalStart(after: last).adding(seconds: Int64(intervalMinutes - reminderMinutes) * 60)
  }
}
