import Foundation

/// Slow twin of the detector of doses for one person: evidence-doses.md word by word, with its defaults.
///
/// Every day is computed from the whole history and from the episodes before it; nothing is carried from one day to
/// the next. Days are numbers, days since 1970-01-01.
public struct ReferenceDoses: Sendable {
  /// A day with doses: n, k and i of section 1.
  public struct Observation: Sendable, Equatable {
    public var day: Int
    public var n: Int
    public var k: Int
    public var i: Int

    public init(day: Int, n: Int, k: Int, i: Int) {
      self.day = day
      self.n = n
      self.k = k
      self.i = i
    }
  }

  /// Figures of the usual, section 2.
  public struct Baseline: Sendable {
    public var pool: [Observation]
    public var g: Int
    public var p: Double
    public var day: Double
    public var weekday: [Double]
    public var run: Double
    public var N0: Double

    public var sumK: Double { Double(pool.map(\.k).reduce(0, +)) }
    public var sumN: Double { Double(pool.map(\.n).reduce(0, +)) }
    public var base: Double { sumK / sumN }
    public var spread: Double { (1 + run) / (1 - run) }

    func c(_ n: Int) -> Double { 1 / (1 + Double(n - 1) * day) }
  }

  public struct Window: Sendable {
    public var j: Int
    public var first: Int
    public var K: Int
    public var X: Int
    public var G: Double
    public var matters: Bool
  }

  public struct Episode: Sendable {
    public var activeSince: Int
    public var openedOn: Int
    public var resolvedOn: Int?
    public var reason: String?
    public var duration: Int
    public var level: Int
    public var levelDays: [Int: Int]
    public var window: Window
    public var threshold: Double
    public var A: Double
    public var baseline: Baseline
    public var recordedOn: Int?
  }

  public enum Verdict: Sendable {
    case unknown(String)
    case normal
    case deviating(Window, Baseline, threshold: Double)
  }

  /// All observations, in any order.
  let observations: [Observation]

  /// - Parameters:
  ///   - days: Days with doses, in any order.
  ///   - unrecorded: Silent days and those of a broken feed.
  public init(_ days: [Observation], unrecorded: Set<Int>) {
    observations = days.filter { $0.n > 0 && !($0.i == $0.n && unrecorded.contains($0.day)) }
      .sorted { $0.day < $1.day }
  }

  private func clamp(_ v: Double, _ a: Double, _ b: Double) -> Double { max(a, min(b, v)) }

  func threshold(_ nb: Int) -> Double { nb >= 14 ? 9.7 : nb >= 10 ? 9.5 : 8.0 }

  // MARK: Sections 1 to 3

  func eligible(on day: Int, after episodes: [Episode]) -> [Observation] {
    let since = episodes.last { $0.reason == "rebased" }?.activeSince
    return observations.filter { observation in
      let t = observation.day
      if t > day || t < day - 200 || t < since ?? .min { return false }
      return !episodes.contains { episode in
        guard episode.reason == "recovered" || episode.reason == "no_data",
          let end = episode.resolvedOn
        else { return false }
        return t >= episode.activeSince && t <= end
      }
    }
  }

  public func baseline(of pool: [Observation], g: Int) -> Baseline {
    var found = Baseline(pool: pool, g: g, p: 0, day: 0, weekday: [], run: 0, N0: 0)
    let p = (found.sumK + 0.2) / (found.sumN + 0.2 + 4.8)
    found.p = p
    let several = pool.filter { $0.n > 1 }
    let excess = several.map { o -> Double in
      let (n, k) = (Double(o.n), Double(o.k))
      return (k - n * p) * (k - n * p) - n * p * (1 - p)
    }.reduce(0, +)
    let most = several.map { Double($0.n * ($0.n - 1)) * p * (1 - p) }.reduce(0, +)
    found.day = clamp((3 * 0.5 + excess) / (3 + most), 0, 1)
    for w in 0..<7 {
      let own = pool.filter { ReferenceEvidence.weekday($0.day) == w }
      let ck = own.map { found.c($0.n) * Double($0.k) }.reduce(0, +)
      let cn = own.map { found.c($0.n) * Double($0.n) }.reduce(0, +)
      found.weekday.append((ck + 20 * p) / (cn + 20))
    }
    let r = pool.map { o -> Double in
      let cn = found.c(o.n) * Double(o.n)
      let usual = found.weekday[ReferenceEvidence.weekday(o.day)]
      return (found.c(o.n) * Double(o.k) - cn * usual) / cn.squareRoot()
    }
    var (products, squares) = (0.0, 0.0)
    for j in pool.indices.dropFirst() where pool[j].day - pool[j - 1].day == 1 {
      products += r[j - 1] * r[j]
      squares += (r[j - 1] * r[j - 1] + r[j] * r[j]) / 2
    }
    found.run = clamp(products / (2 + squares), 0, 0.6)
    found.N0 = pool.map { found.c($0.n) * Double($0.n) }.reduce(0, +) + 0.2 + 4.8
    return found
  }

  /// The windows of a day, shortest first.
  public func windows(
    _ eligible: [Observation], _ baseline: Baseline, after episodes: [Episode]
  ) -> [Window] {
    let last = episodes.compactMap(\.resolvedOn).max() ?? .min
    let most = min(baseline.g, 28, eligible.filter { $0.day > last }.count)
    func xlnx(_ x: Double, _ expected: Double) -> Double {
      x <= 0 ? 0 : x * Foundation.log(x / expected)
    }
    var windows: [Window] = []
    for j in 1...max(most, 1) where j >= 3 && j <= most {
      let window = Array(eligible.suffix(j))
      guard window[0].k > 0 else { continue }
      let M = window.map { baseline.c($0.n) * Double($0.k) }.reduce(0, +)
      let N = window.map { baseline.c($0.n) * Double($0.n) }.reduce(0, +)
      let E = window.map {
        baseline.c($0.n) * Double($0.n) * baseline.weekday[ReferenceEvidence.weekday($0.day)]
      }.reduce(0, +)
      let K = window.map(\.k).reduce(0, +)
      let X = window.map(\.n).reduce(0, +)
      let (u, N0) = (E / N, baseline.N0)
      let K0 = N0 * u
      let q = (M + K0) / (N + N0)
      var L = 0.0
      if M / N > u {
        let taken = K == X ? 0 : N - M
        L =
          xlnx(M, N * q) + xlnx(taken, N * (1 - q)) + xlnx(K0, N0 * q)
          + xlnx(N0 - K0, N0 * (1 - q))
      }
      let G = L / baseline.spread - (K < X ? 10 / Double(j) : 0)
      let share = Double(K) / Double(X)
      let fall = share - baseline.base
      let matters =
        window.filter { $0.k > 0 }.count >= 3 && share > baseline.base
        && (fall >= 0.2 - 1e-9 || fall >= 0.1 - 1e-9 && 1 - share < 0.8 - 1e-9)
      windows.append(
        Window(j: j, first: window[0].day, K: K, X: X, G: G, matters: matters))
    }
    return windows
  }

  public func verdict(on day: Int, after episodes: [Episode]) -> Verdict {
    let eligible = eligible(on: day, after: episodes)
    guard let today = eligible.last, today.day == day else { return .unknown("no_value") }
    let m = eligible.count
    let g = max(3, min(28, m / 3))
    let pool = Array(eligible.dropLast(g).suffix(160))
    guard pool.count >= 7 else { return .unknown("insufficient_baseline") }
    if today.k == 0 { return .normal }
    let baseline = baseline(of: pool, g: g)
    var best: Window?
    for window in windows(eligible, baseline, after: episodes) where window.matters {
      if window.G > (best?.G ?? -.infinity) + 1e-9 { best = window }
    }
    let c = threshold(pool.count)
    guard let best, best.G >= c - 1e-9 else { return .normal }
    return .deviating(best, baseline, threshold: c)
  }

  // MARK: Sections 4 and 5

  /// Returns the episodes of a fold over `days`, the oldest first; none is active before it.
  public func episodes(days: ClosedRange<Int>) -> [Episode] {
    var episodes: [Episode] = []
    for today in days {
      if let last = episodes.last, last.resolvedOn == nil {
        episodes[episodes.count - 1] = replayed(last, through: today)
        continue
      }
      guard case .deviating(let window, let baseline, let c) = verdict(on: today, after: episodes)
      else { continue }
      let duration = today - window.first + 1
      let level = ReferenceEvidence.level(duration: duration)
      let share = Double(window.K) / Double(window.X)
      episodes.append(
        Episode(
          activeSince: window.first, openedOn: today, duration: duration, level: level,
          levelDays: [level: today], window: window, threshold: c,
          A: min(max(min(share, 0.8), baseline.p + 0.1), 0.99), baseline: baseline))
    }
    for index in episodes.indices {
      let episode = episodes[index]
      let end = episode.resolvedOn ?? days.upperBound
      episodes[index].recordedOn =
        observations.first { $0.day >= episode.activeSince && $0.day <= end && $0.i < $0.n }?.day
    }
    return episodes
  }

  private func replayed(_ opened: Episode, through last: Int) -> Episode {
    var episode = opened
    episode.duration = opened.openedOn - opened.activeSince + 1
    episode.level = ReferenceEvidence.level(duration: episode.duration)
    episode.levelDays = [episode.level: opened.openedOn]
    let (p, A, baseline) = (opened.baseline.p, opened.A, opened.baseline)
    var (H, calm, without) = (0.0, 0, 0)
    for today in opened.openedOn...last where today > opened.openedOn {
      guard let index = observations.firstIndex(where: { $0.day == today }) else {
        without += 1
        if without == 14 {
          (episode.resolvedOn, episode.reason) = (today, "no_data")
          return episode
        }
        continue
      }
      without = 0
      if today - opened.activeSince + 1 > 60 {
        (episode.resolvedOn, episode.reason) = (today, "rebased")
        return episode
      }
      let o = observations[index]
      let c = baseline.c(o.n)
      H = max(
        0,
        H
          + (c * Double(o.k) * Foundation.log(p / A)
            + c * Double(o.n - o.k) * Foundation.log((1 - p) / (1 - A))) / baseline.spread)
      let recent = observations[...index].suffix(3)
      let missed = Double(recent.map(\.k).reduce(0, +)) / Double(recent.map(\.n).reduce(0, +))
      let isEasing = missed < (p + A) / 2 - 1e-9
      calm = isEasing ? calm + 1 : 0
      if isEasing {
        if H >= 4.5 - 1e-9 || calm >= 7 {
          (episode.resolvedOn, episode.reason) = (today, "recovered")
          return episode
        }
      } else {
        episode.duration = today - opened.activeSince + 1
        let level = ReferenceEvidence.level(duration: episode.duration)
        if level > episode.level {
          episode.level = level
          episode.levelDays[level] = today
        }
      }
    }
    return episode
  }
}
