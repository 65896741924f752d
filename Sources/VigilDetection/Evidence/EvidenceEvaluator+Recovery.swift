public import VigilModel

/// A day of an episode under evidence: how much speaks for its end (specification, evidence.md section 5).
public struct EvidenceRecovery: Hashable, Sendable {
  public var day: Day
  /// The distance of the day's value from what is usual, in personal spreads, where positive is bad; nil
  /// without a value.
  public var shift: Double?
  /// Evidence for recovery, in nats.
  public var evidence: Double
  /// Observations in a row of easing.
  public var calmDays: Int
  /// Whether the newest values are closer to what is usual than to the shift.
  public var isEasing: Bool
  /// Whether the change is over.
  public var isOver: Bool
  /// The newest observation up to the day.
  public var lastValue: Day?
}

extension EvidenceEvaluator {
  /// Follows an episode from its opening to the day at `index`.
  ///
  /// - Parameters:
  ///   - opening: The evidence that the episode opened with.
  ///   - series: One value a day, NaN where missing; from the recent days before the opening on.
  ///   - index: The place of the day in `series`.
  ///   - firstDay: The day of the first value.
  ///   - context: What the days before the episode left.
  /// - Complexity: O(days).
  public func recovery(
    from opening: EpisodeEvidence, in series: UnsafeBufferPointer<Double>, at index: Int,
    firstDay: Day, context: EvidenceContext = EvidenceContext()
  ) -> EvidenceRecovery {
    let day = firstDay + index
    let workspace = EvidenceWorkspace(days: firstDay...day)
    var eligible = workspace.load(UnsafeBufferPointer(rebasing: series[...index]), for: judge)
    for range in context.excluded {
      eligible.remove(days: range.lowerBound - firstDay...range.upperBound - firstDay)
    }
    let opened = eligible.place(from: opening.openedOn - firstDay + 1) - 1
    var course = EvidenceCourse(of: opening, endingAt: opened, of: eligible, by: judge)
    var place = opened + 1
    while place < eligible.count {
      course.take(
        eligible.y[place], weekday: eligible.weekdays[place], day: eligible.days[place])
      place += 1
    }
    let last = eligible.count - 1
    let hasValue = last >= 0 && Int(eligible.days[last]) == index
    return EvidenceRecovery(
      day: day,
      shift: hasValue
        ? judge.shift(of: eligible.y[last], weekday: eligible.weekdays[last], from: opening.anchor)
        : nil,
      evidence: course.evidence, calmDays: course.calmDays, isEasing: course.isEasing,
      isOver: course.isOver, lastValue: last >= 0 ? firstDay + Int(eligible.days[last]) : nil)
  }
}
