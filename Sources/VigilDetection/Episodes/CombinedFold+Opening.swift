import VigilKernels
import VigilModel

extension CombinedFold {
  /// A day that deviates, with what is kept of it.
  struct Opening {
    var finding: CombinedFinding
    var views: [CombinedView?]
  }

  /// The evidence of a day that opens an episode.
  func opening(on day: Int) -> Opening? {
    let hasValue = setView(of: day)
    guard hasValue != 0 else { return nil }
    let needed = judge.mayContribute(hasValue: hasValue) { member, window in
      judge.members[member].screen.tightBound(
        judge.day.places.pointer[member], count: Int(judge.day.counts(of: member)[window]),
        of: series[member])
    }
    guard needed != 0 else { return nil }
    let views = series.indices.map { member -> CombinedView? in
      guard needed & 1 << member != 0 else { return nil }
      return judge.view(
        judge.members[member], judge.day.places.pointer[member],
        counts: judge.day.counts(of: member), of: series[member])
    }
    guard let finding = judge.finding(hasValue: hasValue, views: views),
      !isSuppressed(finding.set, on: day)
    else { return nil }
    return Opening(finding: finding, views: views)
  }

  /// Every window of a day with its figures.
  func windows(on day: Int) -> [CombinedDay.Window] {
    let hasValue = setView(of: day)
    let views = judge.members.indices.map { member -> CombinedView? in
      guard places(of: member, on: day) != nil else { return nil }
      return judge.view(
        judge.members[member], judge.day.places.pointer[member],
        counts: judge.day.counts(of: member), of: series[member])
    }
    return judge.windows(hasValue: hasValue, views: views)
  }

  /// Sets the memory of the day: who takes part in which window, and how much evidence that can give.
  ///
  /// - Returns: The metrics in view with a value on the day.
  private func setView(of day: Int) -> Int {
    let since = past.lastResolved == .min ? Int.min : past.lastResolved + 1
    let takingPart = judge.day.takingPart.pointer
    takingPart.update(repeating: 0, count: judge.day.windows)
    var hasValue = 0
    for place in series.indices {
      guard let own = places(of: place, on: day) else { continue }
      judge.day.places.pointer[place] = own
      let counts = judge.day.counts(of: place)
      judge.countWindows(of: place, own, of: series[place], day: day, since: since)
      for window in 0..<judge.day.windows where counts[window] > 0 {
        takingPart[window] |= 1 << place
      }
      if self.hasValue(place, on: day) { hasValue |= 1 << place }
      judge.members[place].screen.bound(
        own, counts: counts, windows: judge.day.windows, of: series[place],
        into: judge.day.bounds(of: place))
    }
    return hasValue
  }

  /// The eligible observations of a metric that is in view on `day`.
  private func places(of member: Int, on day: Int) -> CombinedPlaces? {
    let last = ends[member] - 1
    guard last >= 0, day - Int(series[member].days[last]) <= judge.settings.maxAgeDays else {
      return nil
    }
    let earliest = max(
      day - judge.evidence.horizonDays, past.adoptedSince, devices[member].since(on: day))
    // Most days begin where the day before did.
    let known = judge.day.places.pointer[member].first
    let places = CombinedPlaces(
      first: series[member].place(from: earliest, near: known), last: last)
    guard places.count > 0, judge.evidence.poolSize(eligible: places.count) > 0 else { return nil }
    return places
  }

  private func isSuppressed(_ set: Int, on day: Int) -> Bool {
    guard workouts?[day] == 1 else { return false }
    return judge.members.enumerated().contains { place, member in
      set & 1 << place != 0 && member.isSuppressedOnWorkoutDays
    }
  }

  /// Begins an episode; returns its first day.
  mutating func begin(_ opening: Opening, on day: Int) -> Int {
    let (finding, views) = (opening.finding, opening.views)
    var found: [(member: Int, contribution: CombinedEvidence.Contribution)] = []
    var unchanged: [MetricType] = []
    for (member, constants) in judge.members.enumerated()
    where finding.takingPart & 1 << member != 0 {
      guard finding.set & 1 << member != 0, let view = views[member],
        let own = view.windows[finding.window]
      else {
        unchanged.append(constants.metric)
        continue
      }
      found.append(
        (member, contribution(of: constants.metric, own, view, of: series[member])))
    }
    // Equal evidence leaves the order of the settings.
    found.sort {
      ($1.contribution.z, $0.member) < ($0.contribution.z, $1.member)
    }
    let evidence = CombinedEvidence(
      openedOn: frame.date(day), windowDays: judge.settings.windowsDays[finding.window],
      evidence: finding.evidence, threshold: finding.threshold,
      contributions: found.map(\.contribution), unchanged: unchanged)
    let first = found.map { frame.index(of: $0.contribution.recent.start) }.min() ?? day
    follow(evidence)
    return first
  }

  private func contribution(
    of metric: MetricType, _ own: CombinedView.Window, _ view: CombinedView,
    of series: EligibleSeries
  ) -> CombinedEvidence.Contribution {
    func day(_ place: Int) -> Day { frame.date(Int(series.days[place])) }
    let pool = view.pool.range
    return CombinedEvidence.Contribution(
      metric: metric, z: own.z, shift: own.shift,
      baseline: EpisodeFigures.Window(
        value: view.pool.base, start: day(pool.lowerBound), end: day(pool.upperBound - 1),
        count: pool.count),
      recent: EpisodeFigures.Window(
        value: own.recent, start: day(own.first), end: day(own.first + own.count - 1),
        count: own.count),
      anchor: view.pool.anchor)
  }
}
