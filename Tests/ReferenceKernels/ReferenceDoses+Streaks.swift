/// Slow twin of section 7 of evidence-doses.md for one medication, whose days the observations are.
extension ReferenceDoses {
  /// An episode with the days on which its levels were sent, or withheld.
  public struct Streak: Sendable {
    public var episode: Episode
    public var sent: [Int: Int] = [:]
    public var withheld: [Int: Int] = [:]
  }

  /// Returns the episodes of a fold over `days`, the oldest first; none is active before it.
  ///
  /// - Parameters:
  ///   - lastDay: The last day of the treatment; nil where no end is known.
  ///   - covered: Days on which an episode of all doses of the person is active.
  public func streaks(days: ClosedRange<Int>, lastDay: Int?, covered: Set<Int>) -> [Streak] {
    var streaks: [Streak] = []
    for today in days {
      if let last = streaks.last, last.episode.resolvedOn == nil {
        streaks[streaks.count - 1].episode = followed(
          last.episode, through: today, lastDay: lastDay)
      } else if let opened = opening(on: today, after: streaks.map(\.episode)) {
        streaks.append(Streak(episode: opened))
      }
      guard let now = streaks.last, now.episode.resolvedOn == nil else { continue }
      let level = now.episode.level
      guard !(now.sent.keys.contains { $0 >= level } || now.withheld.keys.contains { $0 >= level })
      else { continue }
      if covered.contains(today) {
        streaks[streaks.count - 1].withheld[level] = today
      } else {
        streaks[streaks.count - 1].sent[level] = today
      }
    }
    for index in streaks.indices {
      let episode = streaks[index].episode
      let end = episode.resolvedOn ?? days.upperBound
      streaks[index].episode.recordedOn =
        observations.first { $0.day >= episode.activeSince && $0.day <= end && $0.i < $0.n }?.day
    }
    return streaks
  }

  private func opening(on today: Int, after episodes: [Episode]) -> Episode? {
    let eligible = eligible(on: today, after: episodes)
    guard let newest = eligible.last, newest.day == today else { return nil }
    let g = max(3, min(28, eligible.count / 3))
    let pool = Array(eligible.dropLast(g).suffix(160))
    guard pool.count >= 7 else { return nil }
    let baseline = baseline(of: pool, g: g)
    var best: Window?
    for window in windows(eligible, baseline, after: episodes)
    where window.K == window.X && window.matters {
      if window.G > (best?.G ?? -.infinity) + 1e-9 { best = window }
    }
    let c = threshold(pool.count)
    guard let best, best.G >= c - 1e-9 else { return nil }
    let lastEnd = episodes.compactMap(\.resolvedOn).max() ?? .min
    var since = today
    for observation in eligible.reversed() {
      if observation.day <= lastEnd || observation.k < observation.n { break }
      since = observation.day
    }
    let duration = today - since + 1
    return Episode(
      activeSince: since, openedOn: today, duration: duration,
      level: ReferenceEvidence.level(duration: duration), levelDays: [:], window: best,
      threshold: c, A: min(max(0.8, baseline.p + 0.1), 0.99), baseline: baseline)
  }

  private func followed(_ opened: Episode, through last: Int, lastDay: Int?) -> Episode {
    var episode = opened
    episode.duration = opened.openedOn - opened.activeSince + 1
    episode.level = ReferenceEvidence.level(duration: episode.duration)
    var without = 0
    for today in opened.openedOn...last where today > opened.openedOn {
      if let lastDay, today > lastDay {
        (episode.resolvedOn, episode.reason) = (today, "no_data")
        return episode
      }
      guard let now = observations.first(where: { $0.day == today }) else {
        without += 1
        if without == 14 {
          (episode.resolvedOn, episode.reason) = (today, "no_data")
          return episode
        }
        continue
      }
      without = 0
      if now.k < now.n {
        (episode.resolvedOn, episode.reason) = (today, "recovered")
        return episode
      }
      episode.duration = today - opened.activeSince + 1
      episode.level = max(episode.level, ReferenceEvidence.level(duration: episode.duration))
    }
    return episode
  }
}
