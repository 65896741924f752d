import VigilModel

extension MedicationDoses {
  /// Sets the outcome of each dose and hands it out, with the timing of a taken one.
  @inline(__always)
  mutating func settle(
    evaluatedAt: Int64, _ body: (borrowing ExpectedDose, DoseTiming?) -> Void
  ) {
    let minutes = medication?.missedAfterMinutes ?? Medication.defaultMissedAfterMinutes
    let grace = Int64(minutes) * 60_000_000
    records.withUnsafeBufferPointer { records in
      doses.withUnsafeMutableBufferPointer { doses in
        for index in doses.indices {
          let dose = doses[index]
          var timing: DoseTiming?
          if dose.record < 0 {
            let deadline = dose.instant + dose.flexibility + grace
            doses[index].outcome = deadline <= evaluatedAt ? .missed : .pending
          } else {
            let record = records[Int(dose.record)]
            switch record.status {
            case .taken:
              doses[index].outcome = .taken
              timing = Self.timing(of: record, dose)
            case .skipped: doses[index].outcome = .skipped
            case .missed: doses[index].outcome = .missed
            case .plannedSkip: doses[index].outcome = .plannedSkip
            }
          }
          body(doses[index], timing)
        }
      }
    }
  }

  @inline(__always)
  private static func timing(
    of record: MedicationBlock.Record, _ dose: ExpectedDose
  ) -> DoseTiming {
    let hasScheduled = record.scheduled != MedicationBlock.Record.noTime
    let time = hasScheduled ? record.scheduled : dose.instant
    // A taken row without a time violates a constraint of the table; it counts as on time.
    let actual = record.actual != MedicationBlock.Record.noTime ? record.actual : time
    return actual - time > dose.flexibility
      ? .late : time - actual > dose.flexibility ? .early : .onTime
  }
}
