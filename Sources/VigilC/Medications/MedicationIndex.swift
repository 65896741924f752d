import VigilAdherence
import VigilModel

/// The staged rows of each person.
struct MedicationIndex {
  /// The indices of the rows of one person.
  struct Rows {
    var medications: [Int] = []
    var schedules: [Int] = []
    var events: [Int] = []
    var adjustments: [Int] = []
    var doses: [Int32] = []
  }

  /// A row whose medication or schedule is not among the rows.
  struct Orphan {
    var table: String
    var reason: String
    var key: UUID
  }

  /// Persons with a medication, in the order in which they came.
  private(set) var persons: [UUID] = []
  private(set) var orphans: [Orphan] = []
  /// Whether a change of zone is of a person without a medication.
  private(set) var hasOtherEvents = false
  /// By place in `persons`.
  private var rows: [Rows] = []
  private var places: [UUID: Int] = [:]

  init(_ staged: StagedMedications) {
    var ofMedications: [UUID: Int] = [:]
    var ofSchedules: [UUID: Int] = [:]
    for (index, row) in staged.medications.enumerated() {
      let place = place(of: row.user)
      ofMedications[row.id] = place
      rows[place].medications.append(index)
    }
    for (index, row) in staged.schedules.enumerated() {
      if let place = ofMedications[row.medication] {
        ofSchedules[row.id] = place
        rows[place].schedules.append(index)
      } else {
        lose(UncheckedSchedule.table, "medication", row.id)
      }
    }
    // A person without a medication may travel.
    for (index, row) in staged.events.enumerated() {
      if let place = places[row.user] {
        rows[place].events.append(index)
      } else {
        hasOtherEvents = true
      }
    }
    for (index, row) in staged.adjustments.enumerated() {
      if let place = ofSchedules[row.schedule] {
        rows[place].adjustments.append(index)
      } else {
        lose(UncheckedAdjustment.table, "schedule", row.event)
      }
    }
    for (index, row) in staged.doses.rows.enumerated() {
      if let place = ofMedications[row.medication] {
        rows[place].doses.append(Int32(index))
      } else {
        lose(UncheckedDose.table, "medication", row.id)
      }
    }
  }

  /// The rows of a person; nil for one without a medication.
  subscript(person: UUID) -> Rows? { places[person].map { rows[$0] } }

  private mutating func place(of person: UUID) -> Int {
    if let known = places[person] { return known }
    let place = persons.count
    persons.append(person)
    places[person] = place
    rows.append(Rows())
    return place
  }

  private mutating func lose(_ table: String, _ what: String, _ key: UUID) {
    orphans.append(Orphan(table: table, reason: "unknown_\(what)", key: key))
  }
}
