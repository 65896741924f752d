public import VigilModel

/// Slow twin of the fold of overdue check-ins: the rules of silence.md section 7 over a whole history.
public struct ReferenceOverdue {
  public struct Found: Equatable {
    public var activeSince: Day
    public var duration: Int
    public var level: AlertLevel
    public var resolvedOn: Day?

    public init(activeSince: Day, duration: Int, level: AlertLevel, resolvedOn: Day? = nil) {
      self.activeSince = activeSince
      self.duration = duration
      self.level = level
      self.resolvedOn = resolvedOn
    }
  }

  public struct Notification: Equatable, Hashable {
    public var day: Day
    public var activeSince: Day
    public var level: AlertLevel

    public init(day: Day, activeSince: Day, level: AlertLevel) {
      self.day = day
      self.activeSince = activeSince
      self.level = level
    }
  }

  public private(set) var episodes: [Found] = []
  public private(set) var notifications: [Notification] = []

  /// - Parameters:
  ///   - signs: The days without an overdue check-in, of the whole history.
  ///   - openAfterDays: The overdue days with which an episode opens.
  ///   - watchedDays: The most overdue days with which one opens.
  ///   - days: The days to follow; nothing is active before the first.
  ///   - notifyingFrom: The first day on which notifications count.
  public init(
    signs: Set<Day>, openAfterDays: Int, watchedDays: Int, days: ClosedRange<Day>,
    notifyingFrom: Day
  ) {
    for day in days {
      let isActive = episodes.last.map { $0.resolvedOn == nil } ?? false
      if signs.contains(day) {
        if isActive { episodes[episodes.count - 1].resolvedOn = day }
        continue
      }
      if isActive {
        let since = episodes[episodes.count - 1].activeSince
        episodes[episodes.count - 1].duration = day - since + 1
      } else if let last = signs.filter({ $0 < day }).max(),
        (openAfterDays...watchedDays).contains(day - last)
      {
        episodes.append(Found(activeSince: last + 1, duration: day - last, level: .day3))
      } else {
        continue
      }
      var episode = episodes[episodes.count - 1]
      let levels: [(days: Int, level: AlertLevel)] = [(21, .day21), (14, .day14), (7, .day7)]
      episode.level = levels.first { episode.duration >= $0.days }?.level ?? .day3
      episodes[episodes.count - 1] = episode
      let known = notifications.last { $0.activeSince == episode.activeSince }?.level
      if day >= notifyingFrom, known.map({ episode.level > $0 }) ?? true {
        notifications.append(
          Notification(day: day, activeSince: episode.activeSince, level: episode.level))
      }
    }
  }
}
