import VigilModel

extension EpisodeCourse.Wait {
  /// The words after the level of an alert: `2 of 3 clean days`.
  var words: String {
    switch self {
    case .clean(let days, let needed):
      "\(days) of \(NumberText.count(needed, "clean day"))"
    case .noData(let since): "no data since \(since)"
    case .gaps(let since): "gaps since \(since)"
    case .workouts(let since): "workouts since \(since)"
    }
  }

  /// The name in JSON.
  var name: String {
    switch self {
    case .clean: "clean_days"
    case .noData: "data"
    case .gaps: "days_without_gaps"
    case .workouts: "days_without_workouts"
    }
  }

  var since: Day? {
    switch self {
    case .clean: nil
    case .noData(let since), .gaps(let since), .workouts(let since): since
    }
  }

  var cleanDays: (seen: Int, needed: Int)? {
    guard case .clean(let days, let needed) = self else { return nil }
    return (days, needed)
  }
}
