import VigilModel

/// The records of an export, summed up by day and source: memory grows with days, not with records.
struct HealthDays {
  /// Values of one kind, day and source.
  struct Total {
    var sum = 0.0
    var count = 0
    /// A bit for each hour of the day in which a record begins.
    var hours: UInt32 = 0

    mutating func add(_ value: Double, hour: Int) {
      sum += value
      count += 1
      hours |= 1 << UInt32(hour)
    }

    func value(of kind: HealthRecordKind) -> Double { kind.isSum ? sum : sum / Double(count) }
  }

  private var totals: [UInt64: Total] = [:]
  private var nights: [UInt64: SleepNight] = [:]

  private static func key(_ day: Day, _ kind: UInt8, _ source: Int) -> UInt64 {
    UInt64(UInt32(bitPattern: day.ordinal)) << 32 | UInt64(kind) << 24 | UInt64(source)
  }

  /// - Parameter source: Below 2 to the power of 24.
  mutating func add(_ value: Double, _ kind: HealthRecordKind, at date: HealthDate, source: Int) {
    totals[Self.key(date.day, kind.rawValue, source), default: Total()]
      .add(value, hour: date.hour)
  }

  /// Adds a part of a night; what begins at 18:00 or later belongs to the day after.
  mutating func add(
    _ stage: SleepStage, from start: HealthDate, to end: HealthDate, source: Int
  ) {
    let day = start.hour >= 18 ? start.day + 1 : start.day
    nights[Self.key(day, 0, source), default: SleepNight()].add(stage, start.instant..<end.instant)
  }

  /// The metrics of each day that has any, in order.
  ///
  /// Each metric comes from one source, so that a phone and a watch that count the same steps are not added
  /// up: the source that has records in most hours of the day; of equal ones that with the larger value,
  /// then the one that the file names first. Sleep comes from the source with most minutes asleep.
  func metrics() -> [(day: Day, values: [MetricType: Double])] {
    var days: [Int32: [MetricType: Double]] = [:]
    var chosen: [UInt64: (total: Total, source: UInt64)] = [:]
    for (key, total) in totals {
      let (group, source) = (key >> 24, key & 0xFF_FFFF)
      guard let kind = HealthRecordKind(rawValue: UInt8(truncatingIfNeeded: group)) else {
        continue
      }
      func rank(_ total: Total, _ source: UInt64) -> (Int, Double, Int64) {
        (total.hours.nonzeroBitCount, total.value(of: kind), -Int64(source))
      }
      if let present = chosen[group],
        rank(present.total, present.source) >= rank(total, source)
      {
        continue
      }
      chosen[group] = (total, source)
    }
    for (group, choice) in chosen {
      guard let kind = HealthRecordKind(rawValue: UInt8(truncatingIfNeeded: group)) else {
        continue
      }
      let day = Int32(bitPattern: UInt32(truncatingIfNeeded: group >> 8))
      days[day, default: [:]][kind.metric] = choice.total.value(of: kind)
    }
    for (day, night) in chosenNights() {
      let asleep = night.minutes(where: \.isAsleep)
      guard asleep > 0 else { continue }
      var values = days[day] ?? [:]
      values[MetricType("sleep_minutes")] = asleep
      values[MetricType("sleep_efficiency_pct")] = night.efficiency
      if night.hasStages {
        // A device may write its core sleep over the whole night, and the other stages in it.
        let deep = night.minutes { $0 == .deep }
        let deepOrREM = night.minutes { $0 == .deep || $0 == .rem }
        let ofAnyStage = night.minutes { $0 == .deep || $0 == .rem || $0 == .core }
        values[MetricType("deep_sleep_minutes")] = deep
        values[MetricType("rem_sleep_minutes")] = deepOrREM - deep
        // What is neither may be sleep whose depth the device does not say.
        if night.has(.core) || ofAnyStage == asleep {
          values[MetricType("light_sleep_minutes")] = ofAnyStage - deepOrREM
        }
        values[MetricType("awake_minutes")] = night.minutes { $0 == .awake }
      }
      days[day] = values
    }
    return days.sorted { $0.key < $1.key }.map { (Day(ordinal: $0.key), $0.value) }
  }

  private func chosenNights() -> [Int32: SleepNight] {
    var chosen: [Int32: (night: SleepNight, minutes: Double, source: UInt64)] = [:]
    for (key, night) in nights {
      let day = Int32(bitPattern: UInt32(truncatingIfNeeded: key >> 32))
      let (source, minutes) = (key & 0xFF_FFFF, night.minutes(where: \.isAsleep))
      if let present = chosen[day],
        (present.minutes, source) >= (minutes, present.source)
      {
        continue
      }
      chosen[day] = (night, minutes, source)
    }
    return chosen.mapValues(\.night)
  }
}
