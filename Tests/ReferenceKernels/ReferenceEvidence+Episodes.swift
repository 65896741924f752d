/// An episode of the `evidence` detector: its stored figures, and those that a replay finds.
public struct ReferenceEvidenceEpisode: Sendable {
  public var activeSince: Int
  public var openedOn: Int
  /// Nil while the episode is active, as `reason`.
  public var resolvedOn: Int?
  /// `recovered`, `no_data`, `rebased` or `recalibrated`.
  public var reason: String?
  /// Days from `activeSince` to the last day that was not easing, both included.
  public var duration: Int
  /// 3, 7, 14 or 21.
  public var level: Int
  /// The first day of each level that was held.
  public var levelDays: [Int: Int]
  /// *The window* of the opening, with k, z, shift and recent value.
  public var window: ReferenceEvidence.Window
  /// `c(nb)` of the opening.
  public var threshold: Double
  /// The baseline of the opening.
  public var anchor: ReferenceEvidence.Baseline
  /// A, in personal spreads.
  public var shift: Double

  public var status: String { resolvedOn == nil ? "active" : "resolved" }
}

extension ReferenceEvidence {
  /// Returns the episodes of a fold over `days`, the oldest first; none is active before it.
  ///
  /// - Parameters:
  ///   - sources: By day with a value, its sources, for device changes; empty without any change.
  ///   - workouts: Workout days; they matter for a suppressed metric only.
  public func episodes(
    days: ClosedRange<Int>, series: [(day: Int, value: Double)], sources: [Int: Set<String>] = [:],
    workouts: Set<Int> = []
  ) -> [ReferenceEvidenceEpisode] {
    fold(days: days, series: series, workouts: workouts) { today in
      sources.isEmpty ? [] : deviceChanges(on: today, series: series, sources: sources)
    }
  }

  /// Returns the episodes of a fold with device changes that are known, as the fixtures give them.
  public func episodes(
    days: ClosedRange<Int>, series: [(day: Int, value: Double)], workouts: Set<Int> = [],
    knownDeviceChanges: [DeviceChange]
  ) -> [ReferenceEvidenceEpisode] {
    fold(days: days, series: series, workouts: workouts) { today in
      knownDeviceChanges.filter { $0.recognised <= today }
    }
  }

  private func fold(
    days: ClosedRange<Int>, series: [(day: Int, value: Double)], workouts: Set<Int>,
    deviceChanges: (Int) -> [DeviceChange]
  ) -> [ReferenceEvidenceEpisode] {
    let suppressed = metric.isSuppressedOnWorkoutDays ? workouts : []
    var episodes: [ReferenceEvidenceEpisode] = []
    for today in days {
      let changes = deviceChanges(today)
      if var last = episodes.last, last.resolvedOn == nil {
        if changes.contains(where: { $0.recognised == today }) {
          last.resolvedOn = today
          last.reason = "recalibrated"
        } else {
          last = replay(last, through: today, series: series, suppressed: suppressed)
        }
        episodes[episodes.count - 1] = last
        continue
      }
      if suppressed.contains(today) { continue }
      let past = past(on: today, episodes: episodes, deviceChanges: changes)
      let result = day(today, series: series, past: past)
      guard let window = result.window, let anchor = result.baseline, let c = result.threshold
      else { continue }
      let duration = today - window.first + 1
      let level = Self.level(duration: duration)
      episodes.append(
        ReferenceEvidenceEpisode(
          activeSince: window.first, openedOn: today, duration: duration, level: level,
          levelDays: [level: today], window: window, threshold: c, anchor: anchor,
          shift: Self.clamp(window.shift, settings.levelMin, settings.levelMax)))
    }
    return episodes
  }

  /// Returns the past of a day: episodes that ended before it, and device changes up to it, of which
  /// the last one counts.
  public func past(
    on day: Int, episodes: [ReferenceEvidenceEpisode],
    deviceChanges: [DeviceChange]
  ) -> Past {
    var past = Past()
    for episode in episodes {
      guard let end = episode.resolvedOn, end < day, end >= day - settings.horizonDays else {
        continue
      }
      past.lastResolvedOn = max(past.lastResolvedOn ?? end, end)
      switch episode.reason {
      case "rebased":
        past.baselineSince = max(past.baselineSince ?? episode.activeSince, episode.activeSince)
      case "recovered", "no_data":
        past.excluded.append(episode.activeSince...end)
      default: break
      }
    }
    if let change = deviceChanges.last, change.since >= day - settings.horizonDays {
      if change.since >= past.baselineSince ?? .min {
        past.baselineSince = change.since
        past.isRecalibrating = true
      }
    }
    return past
  }

  /// Returns the episode as it stands at the end of `last`, from its opening on: section 5, after
  /// the check for a device change.
  private func replay(
    _ opened: ReferenceEvidenceEpisode, through last: Int, series: [(day: Int, value: Double)],
    suppressed: Set<Int>
  ) -> ReferenceEvidenceEpisode {
    let anchor = opened.anchor
    let A = opened.shift
    var episode = opened
    episode.duration = opened.openedOn - opened.activeSince + 1
    episode.level = Self.level(duration: episode.duration)
    episode.levelDays = [episode.level: opened.openedOn]
    var H = 0.0
    var calm = 0
    var daysWithoutValue = 0

    func resolve(_ day: Int, _ reason: String) -> ReferenceEvidenceEpisode {
      episode.resolvedOn = day
      episode.reason = reason
      return episode
    }
    for today in opened.openedOn...last where today > opened.openedOn {
      guard let index = series.firstIndex(where: { $0.day == today }) else {
        daysWithoutValue += 1
        if daysWithoutValue == settings.maxUnknownDays { return resolve(today, "no_data") }
        continue
      }
      daysWithoutValue = 0
      let duration = today - opened.activeSince + 1
      if duration > settings.adoptAfterDays { return resolve(today, "rebased") }

      let (p, q) = memory(anchor, gap: today - series[index - 1].day)
      let v = (badness(series[index], anchor) - p * badness(series[index - 1], anchor)) / q
      let stay = A * (1 - p) / q
      let distance = (v - stay) * (v - stay)
      let sudden = v + p * A / q
      let jump = (distance - sudden * sudden) / (2 * anchor.noise * anchor.noise)
      let back = (distance - v * v) / (2 * anchor.noise * anchor.noise)
      H = max(0, jump, H > 0 ? H + back : 0)
      let recent = series[...index].suffix(settings.recoveryRecentDays)
      // Without a tolerance, rounding would decide where two usual days follow one that is clipped.
      let isEasing = Self.mean(recent.map { badness($0, anchor) }) < A / 2 - 1e-9
      calm = isEasing ? calm + 1 : 0

      if isEasing {
        if H >= settings.recoveryEvidence || calm >= settings.recoveryCalmDays {
          return resolve(today, "recovered")
        }
      } else if !suppressed.contains(today) {
        episode.duration = duration
        let level = Self.level(duration: duration)
        if level > episode.level {
          episode.level = level
          episode.levelDays[level] = today
        }
      }
    }
    return episode
  }

  /// Level of a duration, episodes.md section 1; shorter durations count as level 3.
  static func level(duration: Int) -> Int {
    switch duration {
    case ..<7: 3
    case ..<14: 7
    case ..<21: 14
    default: 21
    }
  }
}
