import Foundation
import VigilModel
import VigilStorage

/// The days and problems that the reading of an export has found so far.
final class ArchiveReading {
  let options: ImportOptions
  let parser: FieldParser
  /// The clock of the person; nil where it is not known.
  let zone: ZoneRules?
  /// The first unusable records; `problemCount` is the number of all.
  private(set) var problems: [Problem] = []
  private(set) var problemCount = 0
  /// Of them, records of workouts.
  private(set) var workoutProblemCount = 0
  /// All records, without those of activities that are no workout.
  private(set) var recordCount = 0
  /// Of them, records of workouts.
  private(set) var workoutRecordCount = 0
  private var recordsSinceCheck = 0
  /// The values of each day; of two tables that have one, the earlier counts.
  private var values: [Day: [MetricType: Double]] = [:]
  /// The files from which each metric was taken, and of how many days.
  private(set) var origins: [MetricType: [(files: String, days: Int)]] = [:]

  /// The workouts, in the order of the files.
  private(set) var workouts: [ImportedWorkout] = []
  /// The files with workouts, and how many each has.
  private(set) var workoutOrigins: [(files: String, workouts: Int)] = []

  /// Columns and workouts that are not read, with the file and the reason or their number.
  private(set) var leftOut: [String] = []

  /// More unusable records than this are only counted.
  private static let mostProblems = 10_000

  init(options: ImportOptions, zone: ZoneRules?) {
    self.options = options
    self.zone = zone
    parser = FieldParser(today: options.today, zones: options.zones)
  }

  /// The metrics of each day that has any, in order.
  var days: [(day: Day, values: [MetricType: Double])] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// A record that cannot be used.
  struct Problem {
    var problem: RowProblem
    var isOfWorkout: Bool
    var file: String
    var line: Int
  }

  /// Counts a record as read, one of workouts only with `willKeepWorkout`; throws where the import is to stop.
  func willRead(isWorkout: Bool = false) throws {
    if !isWorkout { recordCount += 1 }
    recordsSinceCheck += 1
    if recordsSinceCheck % 4_096 == 0, options.shouldStop() { throw ImportError.interruption }
  }

  /// Counts a record as that of a workout.
  func willKeepWorkout() {
    recordCount += 1
    workoutRecordCount += 1
  }

  func reject(_ problem: RowProblem, isWorkout: Bool = false, file: String, line: Int) {
    problemCount += 1
    if isWorkout { workoutProblemCount += 1 }
    if problems.count < Self.mostProblems {
      problems.append(Problem(problem: problem, isOfWorkout: isWorkout, file: file, line: line))
    }
  }

  /// Adds the workouts of a table.
  ///
  /// - Parameter files: The name of the table's files.
  func add(_ found: [ImportedWorkout], from files: String) {
    guard !found.isEmpty else { return }
    workouts += found
    workoutOrigins.append((files, found.count))
  }

  /// Records that a column with values is not read.
  func leaveOut(_ column: String, of file: String, because reason: String) {
    let text = "\(column) of \(file) (\(reason))"
    if !leftOut.contains(text) { leftOut.append(text) }
  }

  /// Records that workouts are not read, with their activity.
  func leaveOut(_ activity: String, workouts: Int) {
    leftOut.append("\(activity) (\(FileInterpretation.count(workouts, "workout")))")
  }

  /// The days of which no value of any of their metrics was added.
  func withoutKnownDays(
    _ days: [(day: Day, values: [MetricType: Double])]
  ) -> [(day: Day, values: [MetricType: Double])] {
    days.filter { day, found in
      found.keys.allSatisfy { values[day]?[$0] == nil }
    }
  }

  /// Adds the days of a table, as far as no earlier one has their values.
  ///
  /// - Parameter files: The name of the table's files.
  func add(_ days: [(day: Day, values: [MetricType: Double])], from files: String) {
    var counts: [MetricType: Int] = [:]
    for (day, found) in days {
      for (metric, value) in found where values[day]?[metric] == nil {
        values[day, default: [:]][metric] = value
        counts[metric, default: 0] += 1
      }
    }
    for (metric, count) in counts { origins[metric, default: []].append((files, count)) }
  }
}
