import VigilModel

#if VIGIL_CHECK_INVARIANTS
  extension MedicationBlock {
    /// Stops the process where the last row that was added belongs to none that is there.
    func _checkInvariants() {
      precondition(
        table.medicationCount == medications.count && table.scheduleCount == schedules.count,
        "a row has no place among those of records")
      if let last = medications.last {
        precondition(persons.indices.contains(Int(last.person)), "a medication of no person")
        precondition(persons[Int(last.person)].user == last.row.user, "of another person")
      }
      if let last = schedules.last {
        precondition(
          medications.indices.contains(Int(last.medication)), "a schedule of no medication")
        precondition(
          medications[Int(last.medication)].row.id == last.row.medication, "of another medication")
      }
    }
  }

  extension RecordTable {
    /// Stops the process where a record belongs to no medication, or to a schedule of another one.
    ///
    /// - Complexity: O(records).
    func _checkInvariants() {
      for record in records {
        precondition(
          record.medication >= 0 && record.medication < medicationCount,
          "a record of no medication")
        precondition(
          record.schedule == -1
            || record.schedule >= 0 && record.schedule < scheduleCount
              && medication(ofSchedule: record.schedule) == record.medication,
          "a record of a schedule of another medication")
        precondition(
          record.scheduled != MedicationBlock.Record.noTime
            || record.actual != MedicationBlock.Record.noTime, "a record without any time")
      }
    }
  }
#else
  extension MedicationBlock {
    @inline(__always)
    func _checkInvariants() {}
  }

  extension RecordTable {
    @inline(__always)
    func _checkInvariants() {}
  }
#endif
