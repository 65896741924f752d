import VigilAlerts
import VigilDetection
import VigilModel
import VigilStorage

/// The levels of a folded episode that are to be notified of, were its alert alone: those that members were not
/// notified of, on the days on which the episode has reached them, or on which a snooze ends.
struct DueLevels {
  /// The levels in the order of their days.
  ///
  /// One of a dismissed or snoozed alert is among them: the queue says why it is not sent.
  private(set) var levels: [FoldedLevel] = []
  /// The level that members were notified of before, also of the episode that this one continues.
  let notifiedBefore: AlertLevel?

  private var notified: AlertLevel?
  private let end: Episode.Resolution?
  private let duration: Int
  private let stored: PatternAlertState?
  private let isSeen: Bool
  private let window: FoldWindow

  /// - Parameters:
  ///   - episode: The episode.
  ///   - reached: Its levels.
  ///   - stored: The row with the same key.
  ///   - isRead: Whether a member has read the alert.
  ///   - earlier: The levels of the episode that it continues; nil where it continues none.
  ///   - mode: Which notified levels count.
  ///   - window: The days that notify.
  init(
    of episode: Episode, _ reached: ArraySlice<FoldedLevel>, stored: PatternAlertState?,
    isRead: Bool, after earlier: DueLevels?, mode: RunRecord.Mode, window: FoldWindow
  ) {
    notifiedBefore = .highest(stored?.notifiedLevel(in: mode), earlier?.notified)
    notified = notifiedBefore
    end = episode.resolution
    duration = episode.duration
    self.stored = stored
    isSeen = isRead || stored?.isAnswered ?? false
    self.window = window
    for place in reached.indices {
      let next = place + 1 < reached.endIndex ? reached[place + 1].day : nil
      take(reached[place], before: next)
    }
  }

  /// - Parameter next: The day of the next level; nil after the last.
  private mutating func take(_ level: FoldedLevel, before next: Day?) {
    switch outcome(of: level) {
    case .send:
      levels.append(level)
      notified = level.level
    case .withhold:
      levels.append(level)
      guard let resumed = level.resumed(by: stored?.snoozeUntil, of: duration),
        isActive(on: resumed.day),
        next.map({ resumed.day < $0 }) ?? true, outcome(of: resumed) == .send
      else { return }
      levels.append(resumed)
      notified = level.level
    case .repeated, .wait, .discarded: break
    }
  }

  private func outcome(of level: FoldedLevel) -> DeliveryOutcome {
    var facts = stored.map { DeliveryFacts(of: $0, on: level.day) } ?? []
    if let notified, notified >= level.level { facts.insert(.isNotified) }
    if level.isCovered { facts.insert(.isCovered) }
    if isSeen, stored?.series.metric == .inactivity, level.level > .day3 {
      facts.insert(.needsNoReminder)
    }
    return DeliveryRules.outcome(of: .level, in: DeliveryCircumstances(at: .planning, facts))
  }

  private func isActive(on day: Day) -> Bool {
    window.notifying.contains(day) && end.map { day < $0.day } ?? true
  }
}

extension FoldedLevel {
  /// The level on the day on which a snooze ends, for a run that notifies on several days.
  ///
  /// A night of that day folds the level anew. Here it is what the fold knows of an earlier day: its figures, and its
  /// duration as if each day since then deviated, but at most that of the episode in the end. Under a profile whose
  /// levels may fall, that night might find a lower one (specification, notifications.md section 1).
  ///
  /// - Parameter duration: The days that the episode has lasted in the end.
  fileprivate func resumed(by snoozeEnd: Day?, of duration: Int) -> FoldedLevel? {
    snoozeEnd.map { end in
      var resumed = self
      resumed.day = end
      resumed.duration = min(duration, self.duration + (end - day))
      return resumed
    }
  }
}
