public import VigilDetection
public import VigilModel

/// Slow twin of the fold: the specification's episode rules over whole histories, day by day, with
/// lists and look-backs instead of a machine.
public struct ReferenceEpisodes {
  public struct Found: Equatable {
    public var activeSince: Day
    public var lastEvaluated: Day
    public var duration: Int
    public var level: AlertLevel
    public var baseline: Double?
    public var recent: Double?
    public var deviation: Double?
    public var resolvedOn: Day?
    public var reason: String?
    public var notifiedLevel: AlertLevel?
  }

  public struct Notification: Equatable {
    public var day: Day
    public var activeSince: Day
    public var level: AlertLevel
  }

  public private(set) var episodes: [Found] = []
  public private(set) var notifications: [Notification] = []

  /// - Parameters:
  ///   - first: The first day of the fold; the machine is idle before it.
  ///   - notifyingFrom: The first day on which notifications count.
  public init(
    _ values: [Day: Double], workouts: Set<Day>, metric: MetricThresholds, thresholds: Thresholds,
    from first: Day, notifyingFrom: Day, to last: Day
  ) {
    let isAnchored = thresholds.baseline.mode == .anchored
    var anchor: Double?
    /// Judged days since the active episode opened, newest last.
    var since: [ReferenceDay] = []
    var runFloor = first - 3650
    func day(_ day: Day, _ anchor: Double? = nil) -> ReferenceDay {
      ReferenceDay(values, on: day, metric: metric, thresholds: thresholds, anchor: anchor)
    }
    func runStart(_ end: Day) -> Day {
      var start = end
      while start > runFloor, day(start - 1).isDeviating { start = start - 1 }
      return start
    }
    func isActive() -> Bool { episodes.last.map { $0.resolvedOn == nil } ?? false }
    var openedOn = first
    var today = first
    while today <= last {
      let rolling = day(today)
      let judged = isActive() && isAnchored ? day(today, anchor) : rolling
      let isSuppressed = metric.isSuppressedOnWorkoutDays && workouts.contains(today)
      var resolvedToday = false
      if isActive(), let limit = thresholds.baseline.rebaseAfterDays,
        today - episodes[episodes.count - 1].activeSince >= limit, rolling.isNormal
      {
        resolve(today, "rebased")
        resolvedToday = true
      }
      if !resolvedToday {
        since.append(judged)
        if judged.isDeviating && !isSuppressed {
          var inherited: AlertLevel?
          var start = isActive() ? openedOn : today
          if isActive() {
            var back = since.count - 1
            start = today
            while back > 0, since[back - 1].isDeviating {
              back -= 1
              start = start - 1
            }
            if back == 0, since.count > 1 || start == openedOn {
              start = episodes[episodes.count - 1].activeSince + (thresholds.recentDays - 1)
            }
          } else {
            start = runStart(today)
          }
          let activeSince = start - (thresholds.recentDays - 1)
          let continues =
            isActive()
            && (thresholds.episode.onInterruption == .continue
              || episodes[episodes.count - 1].activeSince == activeSince)
          if !continues {
            if isActive() {
              inherited = episodes[episodes.count - 1].notifiedLevel
              episodes[episodes.count - 1].resolvedOn = today
              episodes[episodes.count - 1].reason = "superseded"
            }
            let opening = day(start)
            anchor = opening.baseline
            episodes.append(
              Found(
                activeSince: activeSince, lastEvaluated: today, duration: 0, level: .day3,
                notifiedLevel: inherited))
            openedOn = today
            since = [judged]
          }
          let index = episodes.count - 1
          let figures = isAnchored ? day(today, anchor) : judged
          episodes[index].lastEvaluated = today
          episodes[index].duration = today - episodes[index].activeSince + 1
          let level = AlertLevel(duration: episodes[index].duration)
          episodes[index].level =
            thresholds.episode.levelMayFall ? level : max(level, episodes[index].level)
          episodes[index].baseline = figures.baseline
          episodes[index].recent = figures.recent
          episodes[index].deviation = figures.deviation
        } else if isActive(), !judged.isDeviating {
          let needed = thresholds.recovery.cleanDays(at: episodes[episodes.count - 1].level)
          let lastUnknown = since.reversed().prefix { $0.unknownReason != nil }.count
          if since.count >= needed, since.suffix(needed).allSatisfy(\.isClean) {
            resolve(today, "recovered")
          } else if let limit = thresholds.episode.maxUnknownDays, lastUnknown >= limit {
            resolve(today, "no_data")
          }
        }
      }
      if today >= notifyingFrom, isActive() {
        let index = episodes.count - 1
        let level = episodes[index].level
        if (episodes[index].notifiedLevel?.rawValue ?? 0) < level.rawValue {
          episodes[index].notifiedLevel = level
          notifications.append(
            Notification(day: today, activeSince: episodes[index].activeSince, level: level))
        }
      }
      today = today + 1
    }
    func resolve(_ day: Day, _ reason: String) {
      episodes[episodes.count - 1].resolvedOn = day
      episodes[episodes.count - 1].lastEvaluated = day
      episodes[episodes.count - 1].reason = reason
      runFloor = day + 1
      since = []
    }
  }
}
