import Foundation
import VigilCharts
import VigilDetection
import VigilModel

/// One metric of an alert as it stands on the evaluated day: the value of now, the usual one, and the state.
///
/// Its figures are computed from the days of the person, so that the page says today what is true today: the row of an
/// alert keeps those of the day that opened it, or of its last day that deviated.
struct AlertLine {
  let alert: PatternAlertState
  /// The metric of the alert, or one of several together.
  let metric: MetricType
  /// The evaluated day.
  let day: Day
  let state: State
  let course: EpisodeCourse?
  let limit: Double?
  /// The range of usual days; nil where the profile has none.
  let usualRange: ClosedRange<Double>?
  let person: PersonDays
  /// The limits that are set for the person.
  var personLimits: [PersonLimit] = []

  enum State: Hashable {
    /// The evaluated day deviates.
    case going
    /// Days close to the usual value in a row, of as many as end the alert.
    case easing(days: Int, needed: Int)
    case noData(since: Day)
    case gaps(since: Day)
    case workouts(since: Day)
    /// No day after the last that deviated has, and more is not known.
    case quiet
    case over(Episode.Resolution)

    /// Whether days after the last that deviated are spoken of, where they have values.
    var speaksOfNewerDays: Bool {
      switch self {
      case .easing, .quiet, .noData, .gaps, .workouts: true
      case .going, .over: false
      }
    }
  }

  /// The days that a value of now is the mean of, at most.
  static let recentDays = 14
  /// The doses that a count of now is of, as far as whole days allow.
  static let recentDoses = 10

  init(
    _ alert: PatternAlertState, of metric: MetricType, on day: Day, in person: PersonDays,
    course: EpisodeCourse?, limit: Double?, thresholds: Thresholds? = nil
  ) {
    self.alert = alert
    self.metric = metric
    self.day = day
    self.person = person
    self.course = course
    self.limit = limit
    usualRange = alert.usualRange(of: metric, by: thresholds)
    let last = alert.episode.lastDeviating
    let hasNewer =
      last < day && person.readings(of: metric, on: last + 1...day).contains { $0.value != nil }
    state =
      if let end = alert.episode.resolution {
        .over(end)
      } else if last >= day {
        .going
      } else {
        switch course?.wait {
        case .clean(let days, let needed): .easing(days: days, needed: needed)
        case .noData(let since): .noData(since: since)
        case .gaps(let since): .gaps(since: since)
        case .workouts(let since): .workouts(since: since)
        case nil:
          hasNewer || alert.series.pattern == .medication || alert.series.pattern == .silence
            ? .quiet : .noData(since: last + 1)
        }
      }
  }

  /// The lines of alerts, in their order.
  ///
  /// Of a metric that has an alert of its own and takes part in one of several, the own alert counts.
  static func all(
    of alerts: [PatternAlertState], on day: Day, in person: PersonDays,
    courses: [UUID: EpisodeCourse], limits: AlertLimits, thresholds: Thresholds? = nil,
    personLimits: [PersonLimit] = []
  ) -> [AlertLine] {
    let own = Set(alerts.filter { $0.episode.combined == nil }.map(\.series))
    var seen: Set<MetricType> = []
    return alerts.flatMap { alert in
      alert.metrics.compactMap { metric in
        if alert.episode.combined != nil {
          guard !own.contains(where: { $0.metric == metric }), seen.insert(metric).inserted
          else { return nil }
        }
        var line = AlertLine(
          alert, of: metric, on: day, in: person, course: courses[alert.id],
          limit: limits[alert], thresholds: thresholds)
        line.personLimits = personLimits
        return line
      }
    }
  }

  // MARK: Figures

  private var contribution: CombinedEvidence.Contribution? {
    alert.episode.combined?.contributions.first { $0.metric == metric }
  }

  /// The figures with which the alert opened, or of the last day that deviated where means are compared.
  var figures: EpisodeFigures {
    contribution.map { EpisodeFigures(baseline: $0.baseline, recent: $0.recent) }
      ?? alert.episode.figures
  }

  var usual: Double { figures.baseline.value }

  /// The direction that is bad.
  var pattern: PatternType {
    guard let contribution else { return alert.series.pattern }
    return contribution.recent.value < contribution.baseline.value ? .drop : .rise
  }

  /// The last day that deviated, or the evaluated day where that is earlier.
  var lastDeviating: Day { min(alert.episode.lastDeviating, day) }

  /// The value of now, with the days that it is the mean of; nil where no value is known.
  var recent: SeriesStrip.Recent? {
    if alert.series.pattern.isOfLimit {
      let last = figures.recent
      return SeriesStrip.Recent(days: last.end...last.end, value: last.value)
    }
    if state.speaksOfNewerDays, lastDeviating < day,
      let known = (lastDeviating + 1...day).last(where: hasValue),
      let newer = mean(of: lastDeviating + 1...known)
    {
      return newer
    }
    let first = max(alert.episode.activeSince, lastDeviating - (Self.recentDays - 1))
    return first <= lastDeviating ? mean(of: first...lastDeviating) : nil
  }

  /// Whether the value of now is of days after the last that deviated.
  var isRecentNewer: Bool { recent.map { $0.days.lowerBound > lastDeviating } ?? false }

  /// The change, as the values show it: of today, or of all days of an alert that does not go on.
  var change: ValueChange {
    let own =
      state == .going
      ? recent?.value
      : alert.episode.activeSince <= lastDeviating
        ? mean(of: alert.episode.activeSince...lastDeviating)?.value : nil
    var figures = figures
    if let own { figures.recent.value = own }
    return ValueChange(figures, of: pattern, limit: limit)
  }

  /// The newest values in a row that are usual again, though the mean of several days is not yet.
  struct Calm: Hashable {
    /// The day of the first of them.
    var since: Day
    var count: Int
  }

  /// Nil where the last value of the alert's days is not usual.
  var calm: Calm? {
    guard let isUsual else { return nil }
    var calm: Calm?
    var day = day
    while day >= alert.episode.activeSince {
      if let value = person.reading(of: metric, on: day).value {
        guard isUsual(value) else { break }
        calm = Calm(since: day, count: (calm?.count ?? 0) + 1)
      }
      day = day - 1
    }
    return calm
  }

  /// Whether the last values, or the value of now, are usual again.
  ///
  /// A single value is not enough: a metric that is left out of a sentence on one day and is back on the next would have
  /// its reader look for a change that there was not.
  var isNearUsual: Bool {
    if let calm, calm.count > 1 { return true }
    guard let isUsual, let recent else { return false }
    return isUsual(recent.value)
  }

  /// Says of a value whether it is usual again; nil where there is no telling.
  ///
  /// It is where it is closer to the usual value than to that of the alert, and on the bad side of it by two personal
  /// spreads at most.
  private var isUsual: ((Double) -> Bool)? {
    guard alert.episode.doses == nil, metric != .doseAdherence else { return nil }
    let (usual, changed) = (figures.baseline.value, figures.recent.value)
    let middle = (usual + changed) / 2
    switch pattern {
    case .drop:
      var least = max(middle, usualRange.map { 2 * $0.lowerBound - usual } ?? middle)
      if case .below(let limit) = change { least = max(least, limit) }
      return { $0 > least }
    case .rise:
      let most = min(middle, usualRange.map { 2 * $0.upperBound - usual } ?? middle)
      return { $0 < most }
    default: return nil
    }
  }

  private func hasValue(_ day: Day) -> Bool { person.reading(of: metric, on: day).value != nil }

  /// The mean of the days that have a value; nil where none has.
  private func mean(of days: ClosedRange<Day>) -> SeriesStrip.Recent? {
    let values = person.readings(of: metric, on: days).compactMap(\.value)
    return values.isEmpty
      ? nil
      : SeriesStrip.Recent(
        days: days, value: values.reduce(0, +) / Double(values.count))
  }

  // MARK: Doses

  /// Missed doses among the expected ones of some days.
  struct Doses: Hashable {
    var missed: Int
    var expected: Int
    var days: ClosedRange<Day>
  }

  /// The doses of now; nil where none was expected.
  ///
  /// Whole days are counted backwards until there are ten expected doses: up to today, or up to the last day that
  /// deviated. Where days after that one have doses, it is all of those.
  var recentDoses: Doses? {
    if state.speaksOfNewerDays, lastDeviating < day,
      let newer = doses(from: lastDeviating + 1, to: day, most: nil)
    {
      return newer
    }
    return doses(from: person.days.lowerBound, to: lastDeviating, most: Self.recentDoses)
  }

  private func doses(from first: Day, to last: Day, most: Int?) -> Doses? {
    var found = Doses(missed: 0, expected: 0, days: last...last)
    var day = last
    while day >= first, person.days.contains(day), most.map({ found.expected < $0 }) ?? true {
      for lane in person.doses {
        for mark in lane.doses[day - person.days.lowerBound] {
          switch mark {
          case .missed, .skipped:
            found.missed += 1
            found.expected += 1
          case .taken, .early, .late: found.expected += 1
          case .plannedSkip, .pending, .extra: break
          }
        }
      }
      found.days = day...last
      day = day - 1
    }
    return found.expected > 0 ? found : nil
  }
}

extension PatternAlertState {
  /// Its metric, or the contributing ones of an alert of several together.
  var metrics: [MetricType] {
    episode.combined?.contributions.map(\.metric) ?? [series.metric]
  }
}

extension Sequence<PatternAlertState> {
  /// The highest level first, then the longest.
  var ranked: [PatternAlertState] {
    sorted {
      ($1.episode.level.rawValue, $1.episode.duration, $0.series)
        < ($0.episode.level.rawValue, $0.episode.duration, $1.series)
    }
  }
}

extension String {
  var firstCapitalised: String { prefix(1).uppercased() + dropFirst() }
}
