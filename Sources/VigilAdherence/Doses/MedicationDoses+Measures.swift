import VigilModel

extension MedicationDoses {
  /// Finds the outcome of each dose and counts the days of the window.
  mutating func tally(into days: borrowing DayRows, window: AdherenceWindow) {
    let first = window.days.lowerBound.ordinal
    let count = Int32(truncatingIfNeeded: days.dayCount)
    settle(evaluatedAt: window.evaluatedAt.microseconds) { dose, timing in
      let day = dose.day &- first
      guard day >= 0, day < count else { return }
      let lanes = days.lanes(day: Int(day))
      lanes[Int(dose.outcome.rawValue)] += 1
      let order = DayRows.Lane.order.rawValue
      lanes[order] = DayDigest.appending(dose.outcome, to: lanes[order])
      if let timing { lanes[DayRows.Lane.onTime.rawValue + Int(timing.rawValue)] += 1 }
    }
    func add(_ lane: DayRows.Lane, _ record: Int32) {
      let day = localDay(of: record) - first
      if day >= 0, day < count { days.lanes(day: Int(day))[lane.rawValue] += 1 }
    }
    for record in extraDoses { add(.extra, record) }
    for dose in asNeeded.doses {
      add(.asNeeded, dose.record)
      if dose.isOveruse { add(.overuse, dose.record) }
    }
  }

  /// Taken records that belong to no dose.
  var extraDoses: some Sequence<Int32> {
    matching.unmatched.lazy.filter { records[Int($0)].status == .taken }
  }

  /// The date on which a record's dose was taken, where it was recorded.
  func localDay(of record: Int32) -> Int32 {
    let record = records[Int(record)]
    let time = record.actual != MedicationBlock.Record.noTime ? record.actual : record.scheduled
    return zones[Int(record.zone.rawValue)].day(of: time)
  }

  // MARK: Measures

  /// Appends the rows of the medication, and the insight where there is one.
  ///
  /// - Parameters:
  ///   - days: Its counts, summed.
  ///   - streaks: By period; raised to the medication's where that is longer.
  func measure(
    _ days: borrowing DayRows, window: AdherenceWindow, total: PersonTotal, streaks: inout [Int],
    into result: inout AdherenceResult
  ) {
    guard let medication else { return }
    for (index, period) in window.periods.enumerated() {
      let range = window.indices(of: period.days)
      let streak = missedStreak(in: period.days)
      streaks[index] = max(streaks[index], streak)
      let counts = days.counts(of: range)
      result.analytics.append(
        DoseAnalytics(
          user: total.user, medication: medication.id, period: period,
          measures: AdherenceMeasures(
            counts, gaps: Gaps(days.marks, days: range), missedStreak: streak),
          dayDigest: DayDigest.sum(counts)))
    }
    for day in window.evaluated where isActive(medication, on: day.ordinal) {
      let recent = (day - (MissedStreak.days - 1))...day
      if let streak = MissedStreak(
        user: total.user, medication: medication.id, day: day,
        missedDoses: missedStreak(in: recent),
        daysWithoutDose: Gaps(days.marks, days: window.indices(of: recent)).currentRun)
      {
        result.missedStreaks.append(streak)
      }
    }
  }

  /// Whether the medication is active with an active schedule that expects doses on `day`.
  ///
  /// An inactive row can expect doses until its end date, but a streak on it alerts no family.
  private func isActive(_ medication: Medication, on day: Int32) -> Bool {
    medication.isActive
      && schedules.contains { versions in
        versions.contains { version in
          version.row.isActive && !version.row.timing.isAsNeeded
            && version.expectingDays(of: medication).map { $0.contains(day) } ?? false
        }
      }
  }

  /// Doses missed in a row at the end of some days; pending doses and planned skips neither count
  /// nor end the row.
  private func missedStreak(in days: ClosedRange<Day>) -> Int {
    let (first, last) = (days.lowerBound.ordinal, days.upperBound.ordinal)
    var streak = 0
    for dose in doses[..<firstDose(after: last)].reversed() where dose.day <= last {
      // A dose is due less than three days from its own day.
      if dose.day < first - 3 { break }
      if dose.day < first { continue }
      switch dose.outcome {
      case .missed: streak += 1
      case .taken, .skipped: return streak
      case .plannedSkip, .pending: break
      }
    }
    return streak
  }

  /// The first dose that is due too late to belong to `day`.
  private func firstDose(after day: Int32) -> Int {
    let instant = (Int64(day) + 4) * ZoneRules.microsecondsPerDay
    var (low, high) = (0, doses.count)
    while low < high {
      let middle = (low + high) / 2
      if doses[middle].instant < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Single doses

  /// Appends the doses of the window one by one.
  mutating func appendDoses(of window: AdherenceWindow, to result: inout AdherenceResult) {
    guard let medication else { return }
    let (ids, records) = (scheduleIDs, records)
    settle(evaluatedAt: window.evaluatedAt.microseconds) { dose, timing in
      let day = Day(ordinal: dose.day)
      guard window.days.contains(day) else { return }
      result.doses.append(
        EvaluatedDose(
          schedule: ids[Int(dose.schedule)], time: Timestamp(microseconds: dose.instant), day: day,
          outcome: dose.outcome, timing: timing,
          record: dose.record < 0 ? nil : records[Int(dose.record)].id))
    }
    func unexpected(_ record: Int32, isOveruse: Bool) -> UnexpectedDose? {
      let day = Day(ordinal: localDay(of: record))
      guard window.days.contains(day) else { return nil }
      return UnexpectedDose(
        medication: medication.id, record: records[Int(record)].id, day: day, isOveruse: isOveruse)
    }
    result.extraDoses += extraDoses.compactMap { unexpected($0, isOveruse: false) }
    result.asNeededDoses += asNeeded.doses.compactMap {
      unexpected($0.record, isOveruse: $0.isOveruse)
    }
  }
}
