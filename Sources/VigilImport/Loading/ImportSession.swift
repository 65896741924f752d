import Foundation
import VigilModel
import VigilStorage

/// The state that the tables of one import share: the writer, the known persons and the unusable
/// rows.
final class ImportSession {
  let writer: any ImportWriter
  let options: ImportOptions
  private var persons: Set<UUID> = []
  private var latestPerson: UUID?
  /// The rows that other rows may refer to, by table.
  private var knownIDs: [String: Set<UUID>] = [:]
  /// The rows of erased persons, by table.
  private var leftOutIDs: [String: Set<UUID>] = [:]
  private var erased: [UUID: Bool] = [:]
  private var firstProblems: [String] = []
  private var rowsSinceCheck = 0
  /// Rows of a person, source and day that others contradict, in a file of daily metrics.
  private var contradictingDays = 0

  init(writer: any ImportWriter, options: ImportOptions) {
    self.writer = writer
    self.options = options
  }

  /// Whether the import has not met this person before.
  func isFirstMention(of person: UUID) -> Bool {
    // Rows of one person mostly follow each other.
    if person == latestPerson { return false }
    latestPerson = person
    return persons.insert(person).inserted
  }

  /// Records a row that later rows may refer to.
  func isWritten(_ id: UUID, in table: InputTable) {
    knownIDs[table.name, default: []].insert(id)
  }

  /// Whether a person was erased.
  func isErased(_ person: UUID) -> Bool {
    if let known = erased[person] { return known }
    let isErased = options.isErased?(person) ?? false
    erased[person] = isErased
    return isErased
  }

  /// Records a row of an erased person, to which others may refer.
  func isLeftOut(_ id: UUID, in table: InputTable) {
    leftOutIDs[table.name, default: []].insert(id)
  }

  /// Whether a row of `table` was left out.
  func wasLeftOut(_ id: UUID, in table: InputTable) -> Bool {
    leftOutIDs[table.name]?.contains(id) ?? false
  }

  /// Whether `table` has a row with this id.
  func isKnown(_ id: UUID, in table: InputTable) throws -> Bool {
    if knownIDs[table.name]?.contains(id) ?? false { return true }
    guard try writer.hasRow(id, in: table) else { return false }
    isWritten(id, in: table)
    return true
  }

  /// Throws where the import is to stop; call it for every row read.
  func checkForStop() throws {
    rowsSinceCheck += 1
    guard rowsSinceCheck == 4096 else { return }
    rowsSinceCheck = 0
    if options.shouldStop() {
      throw ImportError.interruption
    }
  }

  /// Quarantines a row, or ends a strict import.
  ///
  /// - Throws: `ZoneFault` where the row may be right, and the system lacks the rules to decide
  ///   that.
  func reject(_ problem: RowProblem, table: InputTable, file: String, line: Int) throws {
    try options.zones.requireNoFault()
    let column = problem.column.map { "\($0): " } ?? ""
    let text = "\(file):\(line): \(column)\(problem.reason)"
    if options.isStrict {
      throw ImportError(
        .badData, "a row cannot be used and the import is strict; nothing was imported",
        problems: [text])
    }
    if firstProblems.count < 10 { firstProblems.append(text) }
    try writer.quarantine(
      QuarantinedRow(
        runID: options.runID, table: table.name, file: file, line: line, column: problem.column,
        reason: problem.reason),
      now: options.now)
  }

  /// Records that a row that is rejected contradicts another one of its day.
  func contradictsDay() { contradictingDays += 1 }

  /// The figures of all tables; throws where too many rows are unusable.
  func finish(
    tables: [ImportSummary.Table], ignoredFiles: [String] = [], repeatedFiles: [String] = [],
    missingDays: [Day] = []
  ) throws -> ImportSummary {
    let summary = ImportSummary(
      tables: tables, ignoredFiles: ignoredFiles, repeatedFiles: repeatedFiles,
      missingDays: missingDays,
      removesMissingDays: options.replacesMissingDays && !missingDays.isEmpty,
      firstProblems: firstProblems)
    let limit = options.maxBadRowFraction
    guard Double(summary.rowsQuarantined) <= limit * Double(summary.rowsRead) else {
      let percent = (limit * 10_000).rounded() / 100
      let limitText = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
      throw ImportError(
        .badData,
        "\(summary.rowsQuarantined) of \(summary.rowsRead) rows cannot be used, more than the limit"
          + " of \(limitText) %; nothing was imported",
        problems: firstProblems,
        remedy: contradictingDays * 2 > summary.rowsQuarantined
          ? .chooseRowsOfDay : .correctRowsOrRaiseLimit(quarantines: false))
    }
    return summary
  }
}
