import VigilModel

extension EpisodeCourse.Wait {
  /// The reason in words: `easing for 2 of 3 days`, or `easing` before the first of those that end the alert.
  ///
  /// - Parameter today: The day on which it is read, of whose year dates need no year; nil writes dates in digits.
  func words(in today: Day? = nil) -> String {
    switch self {
    case .clean(0, _): "easing"
    case .clean(let days, let needed):
      "easing for \(days) of \(NumberText.count(needed, "day"))"
    case .noData(let since): "no value since \(since.words(in: today))"
    case .gaps(let since): "gaps since \(since.words(in: today))"
    case .workouts(let since): "workouts since \(since.words(in: today))"
    }
  }
}

extension EpisodeCourse.Worst {
  /// Its change and day: `-49 % on 2026-05-26`, of several metrics with the name: `sleep -49 % on 2026-05-26`.
  var words: String {
    (metric.map { "\($0.words) " } ?? "") + "\(NumberText.change(deviation)) on \(day)"
  }
}
