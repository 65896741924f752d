import VigilModel

/// The state of an alert as a person says it: `going on`, `easing for 1 of 3 days`, `unclear, no value since
/// 18 June`, `over since 5 June`, `closed on 5 June (no data)`.
struct AlertStateWords {
  private let alert: PatternAlertState
  private let course: EpisodeCourse?
  private let today: Day?

  /// - Parameters:
  ///   - alert: The alert.
  ///   - course: Nil where it is not known what the alert waits for.
  ///   - today: The day on which it is read: a snooze until this day is over, and dates of its year need no year.
  ///     Nil writes dates in digits.
  init(_ alert: PatternAlertState, _ course: EpisodeCourse?, today: Day?) {
    self.alert = alert
    self.course = course
    self.today = today
  }

  /// - Parameter isProvisional: Whether no night has confirmed the alert yet.
  func text(isProvisional: Bool) -> String {
    [state, answer, isProvisional ? "provisional" : nil].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// The state of the episode alone.
  var state: String {
    if let end = alert.episode.resolution {
      let day = end.day.words(in: today)
      return end.reason == .recovered
        ? "over since \(day)" : "closed on \(day) (\(end.reason.words))"
    }
    guard let wait = course?.wait else { return "going on" }
    if case .clean = wait { return wait.words(in: today) }
    return "unclear, \(wait.words(in: today))"
  }

  /// The state where there is little room: `easing 1/3`.
  var shortState: String {
    if let end = alert.episode.resolution {
      return "\(end.reason == .recovered ? "over" : "closed") \(end.day.words(in: today))"
    }
    return switch course?.wait {
    case .clean(0, _): "easing"
    case .clean(let days, let needed): "easing \(days)/\(needed)"
    case .noData: "no value"
    case .gaps, .workouts: "unclear"
    case nil: "going on"
    }
  }

  /// The answer of members.
  private var answer: String? {
    guard alert.episode.isActive else { return nil }
    if alert.dismissedAt != nil { return "dismissed" }
    if let end = alert.snoozeUntil, today.map({ end > $0 }) ?? true {
      return "snoozed until \(end.words(in: today))"
    }
    return alert.acknowledgedAt == nil ? nil : "acknowledged"
  }
}

extension Day {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// `5 June`, or with its year where that is not the one of `today`; the date in digits without `today`.
  func words(in today: Day?) -> String {
    guard let today else { return description }
    let own = components
    let words = "\(own.day) \(Self.months[own.month - 1])"
    return own.year == today.components.year ? words : "\(words) \(own.year)"
  }
}
