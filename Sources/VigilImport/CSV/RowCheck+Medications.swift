import VigilModel
import VigilStorage

/// The tables of medications.
extension RowCheck {
  private func checkDates(_ row: Row) throws(RowProblem) {
    guard let first = row.day("start_date"), let last = row.day("end_date") else { return }
    try require(last >= first, "end_date", "before start_date")
  }

  func medication(_ row: Row) throws(RowProblem) {
    try checkDates(row)
    if let color = row.text("color") {
      let isHex = color.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil
      try require(isHex, "color", "not a colour such as #FF5733")
    }
    if let total = row.number("refill_total_quantity"),
      let remaining = row.number("refill_remaining_quantity")
    {
      try require(remaining <= total, "refill_remaining_quantity", "more than the total")
    }
    for column in [
      "refill_remaining_quantity", "refill_reminder_threshold", "refill_reminder_days",
    ] {
      try require(row.number(column) ?? 0 >= 0, column, "negative")
    }
    let perDose = row.number("refill_units_per_dose") ?? 1
    try require(perDose > 0 && perDose.isFinite, "refill_units_per_dose", "not a positive number")
    let counted = row.time("refill_counted_at")
    try require(counted ?? now <= now, "refill_counted_at", "in the future")
    // A reminder would never come.
    let isFollowed =
      row.truth("refill_reminder_enabled") && row.number("refill_remaining_quantity") != nil
    try require(
      !isFollowed || counted != nil, "refill_counted_at",
      "missing, but refill_reminder_enabled and refill_remaining_quantity are given")
  }

  func schedule(_ row: Row) throws(RowProblem) {
    try checkDates(row)
    switch row.text("type") {
    case "timeBased":
      try require(row.text("time_based_times") != nil, "time_based_times", "missing")
    case "intervalBased":
      try require(row.number("interval_based_hours") != nil, "interval_based_hours", "missing")
      let first = "interval_based_first_dose_time"
      try require(row.time(first) != nil, first, "missing")
    default: break
    }
    for column in ["interval_based_hours", "as_needed_min_interval_hours"] {
      guard let hours = row.number(column) else { continue }
      let isInterval = column == "interval_based_hours"
      try require(isInterval ? hours >= 0.01 : hours >= 0, column, "not a positive time")
      try require(hours < 999.995, column, "more than 999.99 hours")
    }
    for column in [
      "time_based_flexibility_minutes", "interval_based_max_doses_per_day",
      "as_needed_max_doses_per_day",
    ] {
      try require(row.number(column) ?? 0 >= 0, column, "negative")
    }
  }

  func dose(_ row: Row) throws(RowProblem) {
    let actual = row.time("actual_time")
    try require(row.text("status") != "taken" || actual != nil, "actual_time", "missing, but taken")
    try require(actual ?? now <= now, "actual_time", "in the future")
    let place = (row.number("location_latitude"), row.number("location_longitude"))
    try require(
      (place.0 == nil) == (place.1 == nil), "location_latitude", "without the other coordinate")
    try require(abs(place.0 ?? 0) <= 90, "location_latitude", "not from -90 to 90")
    try require(abs(place.1 ?? 0) <= 180, "location_longitude", "not from -180 to 180")
  }

  func event(_ row: Row) throws(RowProblem) {
    try require(
      row.text("new_timezone") != row.text("previous_timezone"), "new_timezone",
      "the same as before")
    try require(row.time("transition_time") ?? now <= now, "transition_time", "in the future")
  }
}
