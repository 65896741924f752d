extension EvidenceDraft {
  /// Plants a change: sudden or gradual, of 1 day to more than the time to its adoption.
  mutating func plantChange(using random: inout some RandomNumberGenerator) {
    let day = anyDay(using: &random)
    let lengths = [1...3, 4...14, 15...35, 36...59, 60...75, 76...200]
    let days = Int.random(in: lengths.randomElement(using: &random) ?? 1...3, using: &random)
    let isBad = Int.random(in: 0..<5, using: &random) > 0
    let size = Double.random(in: 0.5...6, using: &random) * (isBad ? 1 : -1)
    let ramp = Bool.random(using: &random) ? 1 : Int.random(in: 5...40, using: &random)
    let fade =
      Int.random(in: 0..<3, using: &random) > 0 ? 1 : Int.random(in: 3...15, using: &random)
    let last = day + days - 1
    shift(day..<(day + days)) { now in
      size * min(1, Double(now - day + 1) / Double(ramp), Double(last - now + 1) / Double(fade))
    }
    events.append("change \(day)+\(days) of \(size)")
  }

  /// Plants a change that comes back up to four times, after 1 to 15 usual days each.
  mutating func plantRelapses(using random: inout some RandomNumberGenerator) {
    var day = anyDay(using: &random)
    let size = Double.random(in: 1.5...5, using: &random)
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      let days = Int.random(in: 2...25, using: &random)
      shift(day..<(day + days)) { _ in size }
      events.append("relapse \(day)+\(days) of \(size)")
      day += days + Int.random(in: 1...15, using: &random)
    }
  }

  /// Plants a gap of 8 to 60 days.
  mutating func plantGap(using random: inout some RandomNumberGenerator) {
    let day = anyDay(using: &random)
    let days = Int.random(in: 8...60, using: &random)
    for index in (day..<(day + days)).clamped(to: 0..<length) { isMissing[index] = true }
    events.append("gap \(day)+\(days)")
  }

  /// Plants a change with a gap of 10 to 25 days in it, after which it goes on or has ended.
  mutating func plantSilence(using random: inout some RandomNumberGenerator) {
    let day = anyDay(using: &random)
    let before = Int.random(in: 3...20, using: &random)
    let gap = Int.random(in: 10...25, using: &random)
    let after = Bool.random(using: &random) ? 0 : Int.random(in: 3...70, using: &random)
    let size = Double.random(in: 2...6, using: &random)
    shift(day..<(day + before + gap + after)) { _ in size }
    for index in ((day + before)..<(day + before + gap)).clamped(to: 0..<length) {
      isMissing[index] = true
    }
    events.append("silence \(day)+\(before)+\(gap)+\(after) of \(size)")
  }

  /// Plants an interval in which every value is the same, usual or not.
  mutating func plantConstant(using random: inout some RandomNumberGenerator) {
    let day = anyDay(using: &random)
    let days = Bool.random(using: &random) ? length : Int.random(in: 5...120, using: &random)
    let size = Bool.random(using: &random) ? 0 : Double.random(in: -1...3, using: &random)
    for index in (day..<(day + days)).clamped(to: 0..<length) {
      y[index] = level + metric.direction * spread * size
    }
    events.append("constant \(day)+\(days) at \(size)")
  }

  /// Plants zeros, or the least plausible value: single days and up to three weeks of them.
  mutating func plantZeros(using random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let day = anyDay(using: &random)
      let days = Bool.random(using: &random) ? 1 : Int.random(in: 2...21, using: &random)
      for index in (day..<(day + days)).clamped(to: 0..<length) {
        fixed[index] = plausible.lowerBound
      }
      events.append("zeros \(day)+\(days)")
    }
  }

  /// Plants single wild days.
  mutating func plantOutliers(using random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      let day = anyDay(using: &random)
      let size = Double.random(in: 3...12, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      shift(day..<(day + 1)) { _ in size }
      events.append("outlier \(day) of \(size)")
    }
  }

  /// Plants one value for all days before a day, and one on the bound of a rule, or beside it, from
  /// that day on.
  mutating func plantBound(using random: inout some RandomNumberGenerator) {
    let day = Int.random(in: 20..<length, using: &random)
    var base: Double =
      switch metric.transform {
      case .none: level.rounded()
      case .sqrt: (level * level).rounded()
      case .log: 40
      }
    let bound: Double
    switch metric.rules.randomElement(using: &random) {
    case .percentDropAtLeast(let share): bound = base * (1 - share)
    case .percentRiseAtLeast(let share): bound = base * (1 + share)
    case .absoluteDropAtLeast(let size): bound = base - size
    case .absoluteRiseAtLeast(let size): bound = base + size
    case .absoluteDropBelow(let value):
      // So little that no percent rule matches before.
      base = value + Double.random(in: 1...3, using: &random)
      bound = value
    case nil: bound = base
    }
    let beside: Double =
      [0, 1e-9, -1e-9, 1e-12, -1e-12, 0.01, -0.01].randomElement(using: &random) ?? 0
    for index in 0..<length {
      let isBefore = index < day
      let value = isBefore ? base : bound + beside
      fixed[index] = ReferenceEvidence.clamp(value, plausible.lowerBound, plausible.upperBound)
    }
    events.append("bound from \(day), \(beside)")
  }

  /// Plants one or two new devices, with or without an overlap, each with a level of its own; in half
  /// of the cases a change lasts until the first of them.
  mutating func plantDevice(using random: inout some RandomNumberGenerator) {
    var day = anyDay(using: &random)
    if Bool.random(using: &random) {
      let days = Int.random(in: 3...40, using: &random)
      let size = Double.random(in: 2...6, using: &random)
      shift((day - days)..<(day + 2)) { _ in size }
      events.append("change \(day - days)+\(days + 2) of \(size)")
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      day = min(Int.random(in: 8...16, using: &random), length - 1)
    }
    if Bool.random(using: &random) {
      // A trial of the new device, which the look at 10 to 14 earlier values sees or misses.
      sources[max(0, day - Int.random(in: 9...16, using: &random))].insert("device-2")
    }
    for number in 2...Int.random(in: 2...3, using: &random) {
      guard day < length else { break }
      let overlap =
        Bool.random(using: &random) ? 0 : Int.random(in: 1...20, using: &random)
      let size = Double.random(in: -3...4, using: &random)
      for index in day..<length {
        let name = "device-\(number)"
        if index >= day + overlap {
          sources[index] = [name]
        } else if Bool.random(using: &random) {
          sources[index].insert(name)
        }
      }
      shift(day..<length) { _ in size }
      events.append("device \(number) from \(day), overlap \(overlap), \(size)")
      day += Int.random(in: 3...80, using: &random)
    }
  }
}
