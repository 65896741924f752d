import VigilModel

/// Dates as people say them on the last evaluated day.
struct DaysAgo {
  let evaluatedDay: Day

  init(_ evaluatedDay: Day) {
    self.evaluatedDay = evaluatedDay
  }

  /// `that day`, `1 d ago`, `12 d ago`; a later date as it is.
  func text(_ day: Day) -> String {
    let days = evaluatedDay - day
    if days < 0 { return day.description }
    return days == 0 ? "that day" : "\(NumberText.count(days)) d ago"
  }

  var explanation: String {
    "Days (d) count back from \(evaluatedDay), the last evaluated day; --wide shows dates.\n"
  }
}
