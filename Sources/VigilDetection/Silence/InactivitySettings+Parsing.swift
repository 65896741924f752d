import VigilModel

extension InactivitySettings {
  /// Reads the object `inactivity`; nil where the file has none or turns it off.
  init?(reading reader: JSONReader) {
    guard let object = reader.object("inactivity") else { return nil }
    object.allowOnly([
      "enabled", "min_days", "max_days", "rate", "weight", "prior", "habit_days", "max_lag_days",
      "left_after_days", "remind_after_days", "feed_limit",
    ])
    self.init()
    var isEnabled = true
    object.boolean("enabled", into: &isEnabled)
    let lengths = Self.shortestPause...(Self.shortestPause + Self.publicPrior.count)
    object.integer("min_days", in: lengths, into: &minDays)
    object.integer("max_days", in: lengths, into: &maxDays)
    if minDays > maxDays {
      object.complain("min_days", "\(minDays) cannot be more than max_days (\(maxDays))")
    }
    if let value = object.number("rate", in: 0.01...100, what: "must be a number from 0.01 to 100")
    {
      rate = value
    }
    if let value = object.number("weight", in: 0.01...10, what: "must be a number from 0.01 to 10")
    {
      weight = value
    }
    readPrior(object)
    object.integer("habit_days", in: 30...730, into: &habitDays)
    object.integer("max_lag_days", in: 2...365, into: &maxLagDays)
    object.integer("left_after_days", in: 3...365, into: &leftAfterDays)
    if leftAfterDays <= maxDays {
      object.complain(
        "left_after_days", "\(leftAfterDays) must be more than max_days (\(maxDays))")
    }
    object.optionalInteger("remind_after_days", in: 1...365, into: &remindAfterDays)
    if object.value("feed_limit") == .null {
      feedLimit = nil
    } else if let limit = object.number(
      "feed_limit", in: 0.05...1, what: "must be a fraction from 0.05 to 1, or null")
    {
      feedLimit = limit
    }
    if !isEnabled { return nil }
  }

  private mutating func readPrior(_ object: JSONReader) {
    guard let value = object.value("prior") else { return }
    let count = Self.publicPrior.count
    let allowed = "must be \(count) numbers from 0 to 366 that do not rise, the first above 0"
    guard case .array(let items) = value else {
      return object.complain("prior", "\(allowed); is \(JSONReader.shown(value))")
    }
    let numbers = items.compactMap { item -> Double? in
      guard case .number(let number) = item, (0...366).contains(number) else { return nil }
      return number
    }
    guard numbers.count == items.count, numbers.count == count, numbers[0] > 0,
      zip(numbers, numbers.dropFirst()).allSatisfy(>=)
    else { return object.complain("prior", "\(allowed); is another list") }
    prior = numbers
  }
}
