import VigilModel

extension OverdueSettings {
  /// Reads the object `check_in_overdue`; nil where the file has none or turns it off.
  init?(reading reader: JSONReader) {
    guard let object = reader.object("check_in_overdue") else { return nil }
    object.allowOnly(["enabled", "open_after_days", "watched_days"])
    self.init()
    var isEnabled = true
    object.boolean("enabled", into: &isEnabled)
    object.integer("open_after_days", in: 1...365, into: &openAfterDays)
    object.integer("watched_days", in: 1...365, into: &watchedDays)
    if watchedDays < openAfterDays {
      object.complain(
        "watched_days", "\(watchedDays) cannot be less than open_after_days (\(openAfterDays))")
    }
    if !isEnabled { return nil }
  }
}
