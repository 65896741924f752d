/// Slow twin of a person's metrics together: evidence-person.md word by word.
///
/// Every day is computed from the whole series and from the episodes before it; every set of metrics is tried.
public struct ReferenceCombined: Sendable {
  /// In the order of `combined.metrics`.
  public var members: [Member]
  public var windows = [3, 4, 5, 7, 10, 14, 21, 28]
  /// By number of metrics that take part, from 2 on.
  public var thresholds = [3.25, 3.70, 3.95, 4.15, 4.30, 4.40, 4.50, 4.60, 4.70]

  public init(members: [Member]) { self.members = members }

  /// One metric with its history.
  public struct Member: Sendable {
    public var twin: ReferenceEvidence
    public var series: [(day: Int, value: Double)]
    public var sources: [Int: Set<String>]

    public init(
      _ metric: ReferenceEvidence.Metric, series: [(day: Int, value: Double)],
      sources: [Int: Set<String>]
    ) {
      twin = ReferenceEvidence(metric: metric)
      self.series = series
      // One source has no other after it.
      self.sources = Set(sources.values).count > 1 ? sources : [:]
    }

    func deviceChanges(on day: Int) -> [ReferenceEvidence.DeviceChange] {
      sources.isEmpty ? [] : twin.deviceChanges(on: day, series: series, sources: sources)
    }
  }

  /// The evidence of one metric in one window.
  struct Evidence {
    var baseline: ReferenceEvidence.Baseline
    var z: Double
    /// Mean u.
    var shift: Double
    var recent: Double
    var count: Int
    var first: Int
    var matters: Bool
  }

  /// A metric of an opened episode.
  public struct Contribution: Sendable {
    /// The place of the metric.
    public var member: Int
    public var baseline: ReferenceEvidence.Baseline
    public var z, shift, recent: Double
    public var count, first: Int
  }

  public struct Episode: Sendable {
    public var activeSince, openedOn: Int
    public var resolvedOn: Int?
    public var reason: String?
    public var duration, level: Int
    public var levelDays: [Int: Int]
    public var window: Int
    public var evidence, threshold: Double
    public var contributions: [Contribution]
    /// The places of the metrics that took part without contributing.
    public var unchanged: [Int]
  }

  /// Section 7.
  func correlation(_ one: Int, _ other: Int) -> Double {
    if one == other { return 1 }
    let names = [members[one].twin.metric.name, members[other].twin.metric.name].sorted()
    return switch (names[0], names[1]) {
    case ("movement_minutes", "steps"): 0.75
    case ("hrv_ms", "resting_hr"): 0.55
    case ("deep_sleep_minutes", "sleep_minutes"): 0.5
    case ("deep_sleep_minutes", "sleep_efficiency_pct"): 0.2
    case ("hrv_ms", "sleep_minutes"), ("resting_hr", "sleep_minutes"): 0.15
    case ("deep_sleep_minutes", "hrv_ms"), ("deep_sleep_minutes", "resting_hr"): 0.1
    // Of v3-plus.
    case ("breathing_rate", "hrv_ms"), ("breathing_rate", "resting_hr"): 0.3
    case ("breathing_rate", "sleep_efficiency_pct"), ("resting_hr", "spo2_avg_pct"),
      ("breathing_rate", "spo2_avg_pct"), ("skin_temperature_c", "sleep_minutes"),
      ("hrv_ms", "skin_temperature_c"), ("resting_hr", "skin_temperature_c"),
      ("breathing_rate", "skin_temperature_c"), ("skin_temperature_c", "spo2_avg_pct"):
      0.1
    default: 0
    }
  }

  private func group(_ member: Int) -> String {
    let name = members[member].twin.metric.name
    return name == "movement_minutes" ? "steps" : name
  }

  private func redundancy(_ set: [Int]) -> Double {
    set.map { one in set.map { correlation(one, $0) }.reduce(0, +) }.reduce(0, +)
  }

  /// Sections 1 and 2: the evidence of a metric in each window; nil where it does not take part.
  private func evidence(of member: Int, on day: Int, after episodes: [Episode]) -> [Evidence?] {
    let (twin, series) = (members[member].twin, members[member].series)
    let settings = twin.settings
    let none = [Evidence?](repeating: nil, count: windows.count)
    var since = day - settings.horizonDays
    for episode in episodes where episode.reason == "rebased" {
      since = max(since, episode.activeSince)
    }
    if let change = members[member].deviceChanges(on: day).last { since = max(since, change.since) }
    let eligible = series.filter { observation in
      observation.day <= day && observation.day >= since
        && !episodes.contains {
          ["recovered", "no_data"].contains($0.reason)
            && ($0.activeSince...($0.resolvedOn ?? .max)).contains(observation.day)
        }
    }
    guard let newest = eligible.last, day - newest.day <= 13 else { return none }
    let g = max(3, min(settings.baselineGuardDays, eligible.count / 3))
    let pool = Array(eligible.dropLast(g).suffix(settings.baselineMaxDays))
    guard pool.count >= settings.baselineMinDays else { return none }
    let baseline = twin.baseline(of: pool)
    let ended = episodes.last?.resolvedOn ?? .min
    return windows.map { length in
      let start = day - length + 1
      let first = eligible.firstIndex { $0.day >= start } ?? eligible.count
      let count = eligible.count - first
      guard start > ended, count >= 2, count <= g, 2 * count >= length else { return nil }
      var (S, E) = (0.0, 0.0)
      for j in first..<eligible.count {
        let (p, q) = twin.memory(baseline, gap: eligible[j].day - eligible[j - 1].day)
        let before = p * twin.badness(eligible[j - 1], baseline)
        let v = (twin.badness(eligible[j], baseline) - before) / q
        let h = (j == first ? 1 : 1 - p) / q
        S += h * v
        E += h * h
      }
      let shift = ReferenceEvidence.mean(eligible[first...].map { twin.badness($0, baseline) })
      let recent = ReferenceEvidence.mean(eligible[first...].map(\.value))
      S = min(S, shift * E / settings.held)
      var z = (S - settings.driftAllowance * E) / (E.squareRoot() * baseline.noise)
      z *=
        twin.metric.threshold(baselineDays: .max)
        / twin.metric.threshold(baselineDays: pool.count)
      let matters = twin.metric.rules.contains {
        $0.weak?.matches(base: baseline.value, recent: recent) ?? false
      }
      return Evidence(
        baseline: baseline, z: min(z, 4), shift: shift, recent: recent, count: count,
        first: eligible[first].day, matters: matters)
    }
  }

  /// Sections 3 and 4: the episode that opens on a day.
  private func opening(on day: Int, after episodes: [Episode], workouts: Set<Int>) -> Episode? {
    let all = members.indices.map { evidence(of: $0, on: day, after: episodes) }
    var best: Episode?
    for (window, length) in windows.enumerated() {
      let takingPart = members.indices.filter { all[$0][window] != nil }
      guard takingPart.contains(where: { hasValue($0, on: day) }) else { continue }
      func z(_ member: Int) -> Double { all[member][window]?.z ?? 0 }
      let counting = takingPart.filter { z($0) >= 1.5 && all[$0][window]?.matters == true }
      var found: (set: [Int], evidence: Double)?
      // Sets in the order of their numbers: the first of equal ones stays.
      for bits in 0..<(1 << members.count) {
        let set = members.indices.filter { bits & 1 << $0 != 0 }
        guard set.allSatisfy(counting.contains), Set(set.map(group)).count >= 2 else { continue }
        let evidence = set.map(z).reduce(0, +) / redundancy(set).squareRoot()
        if evidence > (found?.evidence ?? 0) + 1e-9 { found = (set, evidence) }
      }
      guard let found else { continue }
      let threshold = thresholds[takingPart.count - 2]
      guard found.evidence >= threshold - 1e-9 else { continue }
      if let best, found.evidence - threshold <= best.evidence - best.threshold + 1e-9 { continue }
      let contributions = found.set.compactMap { member in
        all[member][window].map { own in
          Contribution(
            member: member, baseline: own.baseline, z: own.z, shift: own.shift, recent: own.recent,
            count: own.count, first: own.first)
        }
      }.sorted { ($1.z, $0.member) < ($0.z, $1.member) }
      let since = contributions.map(\.first).min() ?? day
      let level = ReferenceEvidence.level(duration: day - since + 1)
      best = Episode(
        activeSince: since, openedOn: day, duration: day - since + 1, level: level,
        levelDays: [level: day], window: length, evidence: found.evidence, threshold: threshold,
        contributions: contributions, unchanged: takingPart.filter { !found.set.contains($0) })
    }
    guard let best, !isSuppressed(best, on: day, workouts) else { return nil }
    return best
  }

  func hasValue(_ member: Int, on day: Int) -> Bool {
    members[member].series.contains { $0.day == day }
  }

  func isSuppressed(_ episode: Episode, on day: Int, _ workouts: Set<Int>) -> Bool {
    workouts.contains(day)
      && episode.contributions.contains {
        members[$0.member].twin.metric.isSuppressedOnWorkoutDays
      }
  }

  /// Returns the episodes of a fold over `days`, the oldest first; none is active before it.
  public func episodes(days: ClosedRange<Int>, workouts: Set<Int> = []) -> [Episode] {
    var episodes: [Episode] = []
    for today in days {
      if var last = episodes.last, last.resolvedOn == nil {
        last = replay(last, through: today, workouts: workouts)
        episodes[episodes.count - 1] = last
      } else if let opened = opening(on: today, after: episodes, workouts: workouts) {
        episodes.append(opened)
      }
    }
    return episodes
  }

  /// The redundancy of the contributing metrics, for each of them.
  func kappa(_ episode: Episode) -> Double {
    redundancy(episode.contributions.map(\.member)) / Double(episode.contributions.count)
  }
}
