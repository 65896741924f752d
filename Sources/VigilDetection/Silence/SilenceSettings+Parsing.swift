import VigilModel

extension SilenceSettings {
  /// Reads the object `inactivity`; nil where the file has none or turns it off.
  static func inactivity(reading reader: JSONReader) -> SilenceSettings? {
    guard let object = reader.object("inactivity") else { return nil }
    object.allowOnly(["enabled", "open_after_days", "watched_days", "feed_limit"])
    var settings = Self.inactivity
    let isEnabled = settings.readDays(from: object)
    if object.value("feed_limit") == .null {
      settings.feedLimit = nil
    } else if let limit = object.number(
      "feed_limit", in: 0.05...1, what: "must be a fraction from 0.05 to 1, or null")
    {
      settings.feedLimit = limit
    }
    return isEnabled ? settings : nil
  }

  /// Reads the object `check_in_overdue`; nil where the file has none or turns it off.
  static func checkInOverdue(reading reader: JSONReader) -> SilenceSettings? {
    guard let object = reader.object("check_in_overdue") else { return nil }
    object.allowOnly(["enabled", "open_after_days", "watched_days"])
    var settings = Self.checkInOverdue
    return settings.readDays(from: object) ? settings : nil
  }

  /// Reads the keys that both objects have; returns whether the series is followed.
  private mutating func readDays(from object: JSONReader) -> Bool {
    var isEnabled = true
    object.boolean("enabled", into: &isEnabled)
    object.integer("open_after_days", in: 1...365, into: &openAfterDays)
    var watched = watchedDays ?? openAfterDays
    object.integer("watched_days", in: 1...365, into: &watched)
    watchedDays = watched
    if watched < openAfterDays {
      object.complain(
        "watched_days", "\(watched) cannot be less than open_after_days (\(openAfterDays))")
    }
    return isEnabled
  }
}
