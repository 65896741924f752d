import VigilAdherence
import VigilModel
import VigilZones

/// Measures the adherence of persons as a backfill over the same days does that begins with an empty database.
struct MedicationAnalysis {
  let days: ClosedRange<Day>
  let evaluatedAt: Timestamp
  let zones: ZoneCatalog

  /// Persons of a block at most.
  private static let personsPerBlock = 500

  /// - Parameters:
  ///   - staged: Rows of any number of persons.
  ///   - adherence: Gets the rows of `dose_analytics`, by person.
  ///   - unusable: Gets the rows that cannot be used.
  /// - Throws: `Failure` where the rules of a time zone cannot be read; nothing is added then.
  func evaluate(
    _ staged: StagedMedications, into adherence: inout AdherenceTable,
    unusable: inout UnusableTable
  ) throws(Failure) {
    var (ofBlocks, refused) = (adherence, unusable)
    let window = AdherenceWindow(evaluating: days, evaluatedAt: evaluatedAt)
    let evaluator = AdherenceEvaluator(zones: zones)
    let rows = MedicationRows(zones: zones)
    var result = AdherenceResult()
    for block in MedicationBlocks(staged, personsPerBlock: Self.personsPerBlock, &refused).blocks {
      rows.begin(block.persons, evaluatedAt: evaluatedAt)
      fill(rows, with: block, of: staged)
      do { try zones.requireNoFault() } catch {
        throw .data("\(error); give the folder of zone files with vigil_set_zones")
      }
      refused.append(rows.unusable)
      evaluator.evaluate(rows.block, over: window, into: &result)
      let firstDays = rows.block.firstDays
      for row in result.analytics {
        // A period before anything began says nothing.
        guard let first = firstDays[row.medication ?? row.user],
          first <= row.period.days.upperBound
        else { continue }
        ofBlocks.append(row, of: staged)
      }
    }
    (adherence, unusable) = (ofBlocks, refused)
  }

  private func fill(
    _ rows: MedicationRows, with block: MedicationBlocks.Block, of staged: StagedMedications
  ) {
    for index in block.medications { rows.add(staged.medications[index]) }
    for index in block.schedules { rows.add(staged.schedules[index]) }
    for index in block.events { rows.add(staged.events[index]) }
    for index in block.adjustments { rows.add(staged.adjustments[index]) }
    rows.addDoses { staged.doses.add(block.doses, to: &$0) }
  }
}

/// Staged rows by blocks of persons.
struct MedicationBlocks {
  /// The indices of the rows of some persons.
  struct Block {
    var persons: [UUID] = []
    var medications: [Int] = []
    var schedules: [Int] = []
    var events: [Int] = []
    var adjustments: [Int] = []
    var doses: [Int32] = []
  }

  private(set) var blocks: [Block] = []

  /// - Parameter unusable: Gets the rows whose medication or schedule is not among the rows.
  init(_ staged: StagedMedications, personsPerBlock: Int, _ unusable: inout UnusableTable) {
    var ofPersons: [UUID: Int] = [:]
    var ofMedications: [UUID: Int] = [:]
    var ofSchedules: [UUID: Int] = [:]
    for (index, row) in staged.medications.enumerated() {
      var block = ofPersons[row.user]
      if block == nil {
        if blocks.last?.persons.count ?? personsPerBlock == personsPerBlock {
          blocks.append(Block())
        }
        block = blocks.count - 1
        ofPersons[row.user] = block
        blocks[blocks.count - 1].persons.append(row.user)
      }
      guard let block else { continue }
      ofMedications[row.id] = block
      blocks[block].medications.append(index)
    }
    func lost(_ table: String, _ what: String, _ key: UUID) {
      unusable.append(table: table, reason: "unknown_\(what)", key: key.lowercased, count: 1)
    }
    for (index, row) in staged.schedules.enumerated() {
      if let block = ofMedications[row.medication] {
        ofSchedules[row.id] = block
        blocks[block].schedules.append(index)
      } else {
        lost(UncheckedSchedule.table, "medication", row.id)
      }
    }
    // A person without a medication may travel.
    for (index, row) in staged.events.enumerated() {
      if let block = ofPersons[row.user] { blocks[block].events.append(index) }
    }
    for (index, row) in staged.adjustments.enumerated() {
      if let block = ofSchedules[row.schedule] {
        blocks[block].adjustments.append(index)
      } else {
        lost(UncheckedAdjustment.table, "schedule", row.event)
      }
    }
    for (index, row) in staged.doses.rows.enumerated() {
      if let block = ofMedications[row.medication] {
        blocks[block].doses.append(Int32(index))
      } else {
        lost(UncheckedDose.table, "medication", row.id)
      }
    }
  }
}
