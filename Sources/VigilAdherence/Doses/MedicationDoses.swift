import VigilModel

/// The doses of one medication, from its rows to its day counts; reuses its memory for the next
/// medication.
struct MedicationDoses {
  private(set) var medication: Medication?
  /// By rank: the versions of each schedule.
  private(set) var schedules: [[ScheduleInForce]] = []
  private(set) var scheduleIDs: [UUID] = []
  var doses: [ExpectedDose] = []
  private(set) var asNeeded = AsNeededDoses()
  private(set) var matching = DoseMatching()
  private(set) var records: [MedicationBlock.Record] = []
  private(set) var zones: [ZoneRules] = []

  private var rows = DoseRows()
  /// By rank: whether the schedule counts, and whether it expects doses, too.
  private var counts: [Bool] = []
  private var expecting: [Bool] = []

  /// Takes a medication: its expected doses, each with its record.
  mutating func load(
    _ index: Int, of block: MedicationBlock, order: BlockOrder, events: [TimezoneEvent],
    zones: [ZoneRules], window: AdherenceWindow
  ) {
    let medication = block.medications[index].row
    self.medication = medication
    self.zones = zones
    records = block.records
    schedules.removeAll(keepingCapacity: true)
    scheduleIDs.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    expecting.removeAll(keepingCapacity: true)
    for position in order.scheduleStarts[index]..<order.scheduleStarts[index + 1] {
      let entry = block.schedules[Int(order.schedules[position])]
      let versions = ScheduleInForce.versions(of: entry, events: events, zones: zones)
      schedules.append(versions)
      scheduleIDs.append(entry.row.id)
      counts.append(versions.contains { $0.row.counts })
      expecting.append(versions.contains { $0.row.counts && !$0.row.timing.isAsNeeded })
    }
    rows.load(
      order.records[order.recordStarts[index]..<order.recordStarts[index + 1]], of: block,
      ranks: order.scheduleRanks, counts: counts)
    takeAsNeeded()
    expand(medication, on: ExpansionDays.ranges(window: window, entries: rows.entries))
    guard matching.matchSameTime(&doses, with: rows.entries, records: records) else { return }
    expand(
      medication, on: ExpansionDays.ranges(window: window, entries: rows.entries, withWays: true))
    _ = matching.matchSameTime(&doses, with: rows.entries, records: records)
    matching.assignLoose(&doses, records: records, expecting: expecting)
  }

  // MARK: Expected doses

  private mutating func expand(_ medication: Medication, on ranges: [ClosedRange<Int32>]) {
    doses.removeAll(keepingCapacity: true)
    for days in ranges {
      for (rank, versions) in schedules.enumerated() {
        for version in versions {
          guard let expecting = version.expectingDays(of: medication),
            expecting.overlaps(days)
          else { continue }
          version.appendDoses(on: expecting.clamped(to: days), rank: Int32(rank), to: &doses)
        }
      }
    }
    if !isInOrder {
      doses.sort(by: ExpectedDose.isBefore)
      keepFirstOfEqual()
    }
  }

  /// Whether the doses are in order and no two of one schedule coincide.
  private var isInOrder: Bool {
    doses.withUnsafeBufferPointer { doses in
      guard var last = doses.first else { return true }
      for dose in doses.dropFirst() {
        guard
          last.instant < dose.instant
            || (last.instant == dose.instant && last.schedule < dose.schedule)
        else { return false }
        last = dose
      }
      return true
    }
  }

  /// Keeps, of doses of one schedule that coincide, the one of the earlier day.
  private mutating func keepFirstOfEqual() {
    var count = 0
    for index in doses.indices {
      let dose = doses[index]
      if count > 0, doses[count - 1].instant == dose.instant,
        doses[count - 1].schedule == dose.schedule
      {
        continue
      }
      doses[count] = dose
      count += 1
    }
    doses.removeSubrange(count...)
  }

  // MARK: Doses as needed

  private mutating func takeAsNeeded() {
    asNeeded.removeAll()
    guard schedules.contains(where: { $0.contains { $0.row.timing.isAsNeeded } }) else { return }
    let (schedules, zones, records, counts) = (schedules, zones, records, counts)
    // Its own memory again, and no copy: `rows` and it cannot be changed through `self` at once.
    var asNeeded = AsNeededDoses()
    swap(&asNeeded, &self.asNeeded)
    rows.remove { entry in
      let record = records[Int(entry.record)]
      let isBound = entry.schedule != DoseRows.noSchedule
      if !isBound && entry.isScheduled { return false }
      let time = record.actual != MedicationBlock.Record.noTime ? record.actual : record.scheduled
      let day = zones[Int(record.zone.rawValue)].day(of: time)
      let candidates = isBound ? Int(entry.schedule)..<Int(entry.schedule) + 1 : schedules.indices
      var limits: [Schedule.Timing] = []
      for rank in candidates where counts[rank] {
        for version in schedules[rank]
        where version.isValid(on: day) && version.row.timing.isAsNeeded {
          limits.append(version.row.timing)
        }
      }
      if limits.isEmpty { return false }
      if record.status == .taken { asNeeded.append(entry.record, actual: time, limits: limits) }
      return true
    }
    asNeeded.finish(records)
    self.asNeeded = asNeeded
  }
}
