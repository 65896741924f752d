import VigilModel

extension NonWearSettings {
  /// Reads `non_wear`: true, false or an object; nil where the file has none or turns it off.
  init?(reading reader: JSONReader) {
    switch reader.value("non_wear") {
    case nil, .boolean(false): return nil
    case .boolean(true): self.init()
    case .object:
      self.init()
      if let object = reader.object("non_wear") { read(object) }
    case let other?:
      reader.complain("non_wear", "must be true, false or an object, is \(other.kind)")
      return nil
    }
  }

  private mutating func read(_ object: JSONReader) {
    object.allowOnly([
      "still_sleep_pct", "heart_days", "window_days", "part_share", "min_worn_minutes",
      "full_worn_minutes",
    ])
    object.optionalNumber(
      "still_sleep_pct", in: 50...100, what: "must be a percentage from 50 to 100, or null",
      into: &stillSleepPercent)
    object.integer("window_days", in: 1...60, into: &windowDays)
    object.integer("heart_days", in: 1...60, into: &heartDays)
    if heartDays > windowDays {
      object.complain("heart_days", "\(heartDays) cannot be more than window_days (\(windowDays))")
    }
    object.optionalNumber(
      "part_share", in: 0.01...1, what: "must be a fraction from 0.01 to 1, or null",
      into: &partShare)
    object.optionalNumber(
      "min_worn_minutes", in: 0...1440, what: "must be minutes from 0 to 1440, or null",
      into: &leastWornMinutes)
    if let minutes = object.number(
      "full_worn_minutes", in: 0...1440, what: "must be minutes from 0 to 1440")
    {
      fullWornMinutes = minutes
    }
    if let least = leastWornMinutes, least > fullWornMinutes {
      object.complain(
        "full_worn_minutes",
        "\(JSONReader.shown(.number(fullWornMinutes))) cannot be less than min_worn_minutes "
          + "(\(JSONReader.shown(.number(least))))")
    }
  }
}
