/// The plans by which persons are to check in.
extension RowCheck {
  func plan(_ row: Row) throws(RowProblem) {
    guard let reminder = row.number("reminder_minutes"),
      let interval = row.number("interval_minutes")
    else { return }
    try require(reminder < interval, "reminder_minutes", "not before the end of the interval")
  }
}
