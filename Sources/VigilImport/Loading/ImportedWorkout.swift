import VigilModel
import VigilStorage

/// A workout of an export.
struct ImportedWorkout {
  var day: Day
  /// Nil where the export does not name it.
  var activity: String?
  /// Nil where the export does not say on which clock it wrote the time.
  var start: Timestamp?
  var end: Timestamp?
  /// The line of its record, or the record's number.
  var line: Int
}

extension ImportSession {
  /// Writes the workouts of a person, each once.
  ///
  /// - Parameter file: The name of the file that they come from.
  func load(
    _ workouts: [ImportedWorkout], of person: PersonID, file: String
  ) throws -> ImportSummary.Table {
    let loader = try TableLoader(
      table: .exerciseSessions,
      columns: ["id", "user_id", "metric_date", "activity_type_name", "started_at", "ended_at"],
      file: file, session: self)
    for workout in workouts {
      let id = exerciseSessionID(
        person: person.id, day: workout.day, activityType: workout.activity,
        startedAt: workout.start)
      var values: [InputValue] = [
        .uuid(id), .uuid(person.id), .day(workout.day),
        workout.activity.map(InputValue.text) ?? .null,
        workout.start.map(InputValue.timestamp) ?? .null,
        workout.end.map(InputValue.timestamp) ?? .null,
      ]
      try loader.load(&values, of: person, line: workout.line)
    }
    return loader.summary
  }
}
