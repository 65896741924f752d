import CVigil
import VigilModel

/// The input of scores besides observations.
struct ScoreInput {
  /// By person.
  private(set) var birthDates: [UUID: Day] = [:]
  /// By person, the scores that other programs computed.
  private(set) var others: [UUID: [VitalityScore]] = [:]

  // Each takes a batch or, where it throws, nothing of it.

  mutating func addBirthDates(_ batch: RecordBatch) throws(Failure) {
    let cells = Cells(batch: batch, table: "birth dates")
    let names = StagedRows.Names.person
    let ids = try cells.required(names, "who was born", cells.ids(names))
    let dates = try cells.required(
      ["birth_date"], "the day of birth", cells.days(["birth_date"]))
    for (id, date) in zip(ids, dates) { birthDates[id] = date }
  }

  /// - Returns: The persons of the rows.
  mutating func addScores(_ batch: RecordBatch) throws(Failure) -> [String] {
    let cells = Cells(batch: batch, table: "scores")
    let names = StagedRows.Names.person
    let ids = try cells.required(names, "whose scores they are", cells.ids(names))
    let persons = try cells.texts(names).compactMap(\.self)
    let dates = ["score_date", "date"]
    let days = try cells.required(dates, "the day of the scores", cells.days(dates))
    let columns = ["total_score", "sleep_score", "movement_score", "stress_score"]
    var scores: [[Int?]] = []
    for column in columns {
      let values = try cells.integers([column])
      for (row, value) in values.enumerated() where !(0...100).contains(value ?? 0) {
        throw .data("column \"\(column)\" of the scores is outside 0 to 100 in row \(row)")
      }
      scores.append(values)
    }
    let sources = try cells.texts(["source"])
    let versions = try cells.texts(["schema_version"])
    for row in 0..<batch.count where sources[row] != VitalityScore.computedSource {
      others[ids[row], default: []].append(
        VitalityScore(
          user: ids[row], day: days[row], total: scores[0][row], sleep: scores[1][row],
          movement: scores[2][row], stress: scores[3][row], schemaVersion: versions[row] ?? "",
          source: sources[row] ?? "other"))
    }
    return persons
  }
}
