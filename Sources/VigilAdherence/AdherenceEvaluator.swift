public import VigilModel

/// Adherence of a block of persons: expands schedules into expected doses, finds the record of
/// each, and measures every period (specification, adherence.md).
///
/// ```swift
/// import VigilZones
///
/// guard let day = Day("2026-06-30"), let morning = TimeOfDay("08:00"),
///   let night = Timestamp("2026-07-01T01:00:00Z")
/// else { return }
/// let zones = ZoneCatalog(source: ZoneFolder.system())
/// guard let berlin = zones.id(of: "Europe/Berlin") else { return }
/// let (anna, tablets) = (UUID(name: "anna"), UUID(name: "tablets"))
/// let schedule = Schedule(
///   id: UUID(name: "every morning"), medication: tablets,
///   timing: .timeBased(times: [morning], weekdays: .everyDay), referenceZone: berlin,
///   startDate: day - 6)
/// let block = MedicationBlock()
/// block.add(person: anna)
/// _ = block.add(Medication(id: tablets, user: anna, startDate: day - 6))
/// _ = block.add(schedule)
/// for back in 0..<6 {
///   let time = night.adding(seconds: -Int64(back) * 86_400 - 19 * 3600)
///   _ = block.add(
///     DoseRecord(
///       id: UUID(name: "dose \(back)"), medication: tablets, schedule: schedule.id, status: .taken,
///       scheduledTime: time, actualTime: time, recordedZone: berlin, createdAt: time))
/// }
/// let evaluator = AdherenceEvaluator(zones: zones)
/// var result = AdherenceResult()
/// evaluator.evaluate(block, over: AdherenceWindow(day: day, evaluatedAt: night), into: &result)
/// let week = result.analytics.first { $0.medication == tablets && $0.period.kind == .sevenDays }
/// print(week?.measures.takenDoses ?? 0, week?.measures.missedDoses ?? 0)  // 6 1
/// ```
///
/// Keeps its working memory from block to block; one thread uses one instance.
///
/// - Complexity: O(expected doses + records + days) for a call, where rows are in order of time.
public final class AdherenceEvaluator {
  public let zones: ZoneCatalog
  /// Whether results list single doses, besides measures.
  public let keepsDoses: Bool
  /// For each of these limits, results have the doses of each day without those that are rare by it.
  public let rareDays: Set<Int>
  /// Whether results have the days of each medication by itself, for each of these limits.
  public let keepsMedications: Bool

  private var work = MedicationDoses()

  /// - Parameters:
  ///   - zones: The catalog that numbered the zones of the rows.
  ///   - keepsDoses: Whether results list single doses.
  ///   - rareDays: The days between doses from which on they count as rare, where the doses of each day are wanted.
  ///   - keepsMedications: Whether the days of each medication by itself are wanted, too.
  public init(
    zones: ZoneCatalog, keepsDoses: Bool = false, rareDays: Set<Int> = [],
    keepsMedications: Bool = false
  ) {
    self.zones = zones
    self.keepsDoses = keepsDoses
    self.rareDays = rareDays
    self.keepsMedications = keepsMedications
  }

  /// Evaluates all persons of `block` over `window`.
  ///
  /// - Parameters:
  ///   - block: The persons and their rows.
  ///   - window: The days and periods.
  ///   - result: Emptied first.
  public func evaluate(
    _ block: MedicationBlock, over window: AdherenceWindow, into result: inout AdherenceResult
  ) {
    result.removeAll()
    result.days = window.days
    let order = BlockOrder(block)
    let rules = zones.zones()
    let dayCount = window.days.upperBound - window.days.lowerBound + 1
    let medicationDays = DayRows(dayCount: dayCount)
    let personDays = DayRows(dayCount: dayCount)
    var tallies = rareDays.map {
      DoseTally(rareDays: $0, days: window.days, keepsMedications: keepsMedications)
    }
    for person in block.persons.indices {
      personDays.removeAll()
      for index in tallies.indices { tallies[index].removeAll() }
      let total = PersonTotal(user: block.persons[person].user, window: window)
      var streaks = [Int](repeating: 0, count: window.periods.count)
      var counts = false
      let events = block.persons[person].events.sorted {
        $0.transitionTime != $1.transitionTime
          ? $0.transitionTime < $1.transitionTime : $0.id < $1.id
      }
      for position in order.personStarts[person]..<order.personStarts[person + 1] {
        let medication = Int(order.medications[position])
        guard block.medications[medication].row.counts else { continue }
        counts = true
        work.load(medication, of: block, order: order, events: events, zones: rules, window: window)
        medicationDays.removeAll()
        work.tally(into: medicationDays, window: window)
        for index in tallies.indices {
          guard let own = tallies[index].add(work, of: person) else { continue }
          result.medicationDays[tallies[index].rareDays, default: []].append(own)
        }
        medicationDays.finishMedication(
          block.medications[medication].row.id, firstDay: window.days.lowerBound.ordinal,
          addingTo: personDays)
        medicationDays.sum()
        work.measure(medicationDays, window: window, total: total, streaks: &streaks, into: &result)
        if let supply = work.supplyForecast(of: total.user, window: window) {
          result.supplies.append(supply)
        }
        let row = block.medications[medication].row
        if let days = row.expiryDays(in: window.evaluated) {
          result.expiries.append(
            MedicationExpiry(user: total.user, medication: row.id, days: days))
        }
        if keepsDoses { work.appendDoses(of: window, to: &result) }
      }
      personDays.finishPerson()
      total.appendDailyAdherence(personDays, to: &result)
      for tally in tallies { tally.append(to: &result.doseCounts[tally.rareDays, default: []]) }
      if counts {
        personDays.sum()
        total.appendMeasures(personDays, streaks: streaks, to: &result)
      }
    }
  }
}

/// The part of a result that holds for a person and all their medications.
struct PersonTotal {
  let user: UUID
  let window: AdherenceWindow

  /// - Parameter days: Before they are summed.
  func appendDailyAdherence(_ days: borrowing DayRows, to result: inout AdherenceResult) {
    for day in 0..<days.dayCount {
      let lanes = days.lanes(day: day)
      let taken = lanes[DayRows.Lane.taken.rawValue]
      let expected =
        taken + lanes[DayRows.Lane.skipped.rawValue] + lanes[DayRows.Lane.missed.rawValue]
      result.dailyAdherence.append(
        expected == 0 ? .nan : 100 * Double(taken) / Double(expected))
    }
  }

  /// - Parameter days: After they were summed.
  func appendMeasures(
    _ days: borrowing DayRows, streaks: [Int], to result: inout AdherenceResult
  ) {
    for (index, period) in window.periods.enumerated() {
      let range = window.indices(of: period.days)
      let counts = days.counts(of: range)
      result.analytics.append(
        DoseAnalytics(
          user: user, medication: nil, period: period,
          measures: AdherenceMeasures(
            counts, gaps: Gaps(days.marks, days: range), missedStreak: streaks[index]),
          dayDigest: DayDigest.sum(counts)))
    }
  }
}
