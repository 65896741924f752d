public import VigilModel

extension MedicationRows {
  /// Calls `body` with the index of the person and the local day of every dose that was taken or skipped.
  ///
  /// The day is that of `actual_time`, or for a skipped dose without one of `scheduled_time`, in the zone that was
  /// recorded with it. Missed and planned doses say nothing of what a person did.
  ///
  /// - Parameters:
  ///   - matters: Whether the doses of a person are wanted, by the index given to `begin`.
  ///   - body: Takes a person and a day; the same ones may come several times.
  /// - Complexity: O(doses).
  public func forEachIntake(
    ofPersonsWhere matters: (_ person: Int) -> Bool, _ body: (_ person: Int, _ day: Day) -> Void
  ) {
    let zones = zones.zones()
    let persons = block.medications.map(\.person)
    for record in block.records {
      let person = Int(persons[Int(record.medication)])
      guard matters(person) else { continue }
      let instant: Int64
      switch record.status {
      case .taken: instant = record.actual
      case .skipped:
        instant =
          record.actual == MedicationBlock.Record.noTime ? record.scheduled : record.actual
      case .missed, .plannedSkip: continue
      }
      guard instant != MedicationBlock.Record.noTime else { continue }
      body(person, Day(ordinal: zones[Int(record.zone.rawValue)].day(of: instant)))
    }
  }
}
