public import VigilModel

extension EpisodeCourse {
  /// Judges the days of an episode of missed doses again (specification, evidence-doses.md section 5).
  ///
  /// - Parameters:
  ///   - episode: An episode that evidence of doses opened.
  ///   - series: The observations of the person, from the recent days before the opening on.
  ///   - last: The last day.
  ///   - settings: Those of the profile.
  /// - Returns: Nil where there is no such evidence, and where there is no observation.
  /// - Complexity: O(days).
  public init?(
    of episode: Episode, in series: DoseSeries, through last: Day, by settings: DoseEvidenceSettings
  ) {
    guard let evidence = episode.doses, !series.isEmpty else { return nil }
    self.init()
    let opened = series.place(from: evidence.openedOn - series.firstDay + 1) - 1
    guard opened >= 0 else { return nil }
    var course = DoseCourse(of: evidence, endingAt: opened, of: series, by: DoseJudge(settings))
    let end = min(last, episode.resolution?.day ?? last)
    let base = episode.figures.baseline.value
    var lastObserved = evidence.openedOn
    var place = series.place(from: episode.activeSince - series.firstDay)
    while place < series.count, series.day(at: place) <= end {
      let (day, observation) = (series.day(at: place), series.observations[place])
      if place > opened { course.take(observation) }
      if !course.isEasing { lastDeviating = day }
      let taken = Double(observation.expected - observation.missed) / Double(observation.expected)
      if day <= episode.lastDeviating, base > EpisodeFigures.zeroBaseline {
        let deviation = (100 * taken - base) / base
        if deviation < worst?.deviation ?? 0 { worst = Worst(day: day, deviation: deviation) }
      }
      lastObserved = max(lastObserved, day)
      place += 1
    }
    guard episode.isActive, last > episode.lastDeviating else { return }
    if lastObserved < last {
      wait = .noData(since: lastObserved + 1)
    } else if course.isEasing {
      wait = .clean(days: course.calmDays, needed: settings.recovery.calmDays)
    }
  }
}
