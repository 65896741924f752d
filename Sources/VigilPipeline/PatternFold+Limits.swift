import VigilDetection
import VigilModel

extension PatternFold {
  /// The keys of series of limits, and what a fold of them begins with.
  struct LimitInput {
    var series: [LimitSeries]
    /// By place of a series.
    var stored: [Int: [Episode]] = [:]

    init(_ fold: BlockLimitFold, _ input: BlockInput, stored: [SeriesKey: [Episode]]) {
      var known: [LimitSeries: [Episode]] = [:]
      for (key, episodes) in stored {
        guard let person = input.place(of: key.user) else { continue }
        known[LimitSeries(person: person, metric: key.metric, pattern: key.pattern)] = episodes
      }
      series = fold.series(
        personCount: input.persons.count, personal: input.limits,
        sensitivity: input.sensitivities, stored: known.keys)
      guard !known.isEmpty else { return }
      for (index, own) in series.enumerated() { self.stored[index] = known[own] }
    }
  }

  /// By series of metrics, the days on which an alert of a limit of the same metric stands for it.
  static func covering(
    _ result: FoldResult, of series: [LimitSeries], stored: [Int: [Episode]],
    in profile: ProfilePlan
  ) -> [Int: [Range<Day>]] {
    let end = profile.window.folded.upperBound + 1
    var days: [Int: [Range<Day>]] = [:]
    func add(_ episode: Episode, _ series: LimitSeries) {
      guard let place = profile.metrics.firstIndex(where: { $0.metric == series.metric }),
        profile.metrics[place].pattern == (series.pattern == .belowLimit ? .drop : .rise)
      else { return }
      let last = min(episode.resolution?.day ?? end, end)
      guard episode.openedOn < last else { return }
      days[series.person * profile.seriesPerPerson + place, default: []]
        .append(episode.openedOn..<last)
    }
    for folded in result.episodes { add(folded.episode, series[folded.series]) }
    for index in result.unjudgedSeries {
      for episode in stored[index] ?? [] where episode.isActive { add(episode, series[index]) }
    }
    return days
  }
}
