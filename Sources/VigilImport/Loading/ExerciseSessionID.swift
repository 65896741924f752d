import Foundation
import VigilModel
import VigilStorage

/// The id of an exercise session that came without one: UUIDv5 of its person, day, activity type and
/// start, as far as they are known.
func exerciseSessionID(
  person: UUID, day: Day, activityType: String?, startedAt: Timestamp?
) -> UUID {
  UUID(
    name: "exercise_sessions:\(person.lowercased):\(day):\(activityType ?? "")"
      + ":\(startedAt?.description ?? "")")
}

/// The same id from a row of values that follow `columns`.
func exerciseSessionID(columns: [InputTable.Column], values: [InputValue]) -> UUID? {
  var person: UUID?
  var day: Day?
  var activityType: String?
  var startedAt: Timestamp?
  for (column, value) in zip(columns, values) {
    switch (column.name, value) {
    case ("user_id", .uuid(let id)): person = id
    case ("metric_date", .day(let date)): day = date
    case ("activity_type_name", .text(let name)): activityType = name
    case ("started_at", .timestamp(let start)): startedAt = start
    default: break
    }
  }
  guard let person, let day else { return nil }
  return exerciseSessionID(
    person: person, day: day, activityType: activityType, startedAt: startedAt)
}
