import VigilModel

extension SilenceSettings {
  /// Reads the object `inactivity`; nil where the file has none or turns it off.
  static func inactivity(reading reader: JSONReader) -> SilenceSettings? {
    guard let object = reader.object("inactivity") else { return nil }
    object.allowOnly(["enabled", "open_after_days", "watched_days", "feed_limit"])
    var settings = Self.inactivity
    var isEnabled = true
    object.boolean("enabled", into: &isEnabled)
    object.integer("open_after_days", in: 1...365, into: &settings.openAfterDays)
    var watched = settings.watchedDays ?? settings.openAfterDays
    object.integer("watched_days", in: 1...365, into: &watched)
    settings.watchedDays = watched
    if watched < settings.openAfterDays {
      object.complain(
        "watched_days", "\(watched) cannot be less than open_after_days (\(settings.openAfterDays))"
      )
    }
    if object.value("feed_limit") == .null {
      settings.feedLimit = nil
    } else if let limit = object.number(
      "feed_limit", in: 0.05...1, what: "must be a fraction from 0.05 to 1, or null")
    {
      settings.feedLimit = limit
    }
    return isEnabled ? settings : nil
  }
}
