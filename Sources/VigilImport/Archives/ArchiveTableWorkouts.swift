import VigilModel
import VigilStorage

/// The workouts of one kind of table of an export.
struct ArchiveTableWorkouts {
  /// In the order of their first records; of two that begin at the same time, the later counts.
  private(set) var workouts: [ImportedWorkout] = []

  private let table: ArchiveTable
  private let rule: ArchiveTable.WorkoutRule
  private var places: [Key: Int] = [:]

  private struct Key: Hashable {
    var day: Day
    var activity: String?
    var start: Timestamp?
  }

  init(_ table: ArchiveTable, by rule: ArchiveTable.WorkoutRule) {
    self.table = table
    self.rule = rule
  }

  /// Reads all records of a file.
  ///
  /// - Throws: `ImportError` where the file cannot be read, or the zone of its times is not known.
  mutating func add(
    _ file: InputFile, reading: ArchiveReading, didRead: @escaping (_ bytes: Int) -> Void
  ) throws {
    var leftOut: [String: Int] = [:]
    let records = ArchiveRecords(file: file, table: table, didRead: didRead)
    try records.forEach(reading: reading) { record, line throws(RowProblem) in
      guard table.admits(record), let (column, text) = table.first(table.day.columns, of: record)
      else { return }
      let written = table.first(rule.activity, of: record)?.text
      let activity = written.map { rule.names?[$0] ?? $0 }
      if let activity, isLeftOut(activity) {
        leftOut[activity, default: 0] += 1
        return
      }
      reading.willKeepWorkout()
      let day = try table.date(of: text, in: column, record, reading)
      add(
        ImportedWorkout(
          day: day, activity: activity, start: table.instant(of: text, record),
          end: rule.end.flatMap(record).flatMap { table.instant(of: $0, record) }, line: line))
    }
    for (activity, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      reading.leaveOut(activity, workouts: count)
    }
  }

  private mutating func add(_ workout: ImportedWorkout) {
    let key = Key(day: workout.day, activity: workout.activity, start: workout.start)
    if let place = places[key] {
      workouts[place] = workout
    } else {
      places[key] = workouts.count
      workouts.append(workout)
    }
  }

  private func isLeftOut(_ activity: String) -> Bool {
    let letters = activity.lowercased()
    return (rule.leftOut ?? []).contains { ArchiveTable.matches(letters[...], pattern: $0[...]) }
  }
}
