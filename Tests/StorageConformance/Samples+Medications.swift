import Foundation
import VigilModel
import VigilStorage

/// One row of each table of medications, of person 1; the ids are those of persons 20 to 24.
func medicationSamples() throws -> [(InputTable, [InputValue])] {
  let now = InputValue.timestamp(try time("2026-01-01T06:00:00Z"))
  let medication: [InputValue] = [
    .uuid(person(20)), .uuid(person(1)), .text("n"), .null, .text("10mg"), .text("pill"), .null,
    .null, .null, .text(#"["a, \"b\""]"#), .text("#00fFaA"), .null, .boolean(true),
    .day(try day("2026-01-01")), .null, .boolean(false), .integer(30), .integer(12), .integer(2),
    now, .real(0.5), .integer(30), .integer(90), .day(try day("2026-09-30")), now, now,
    .boolean(false),
  ]
  let schedule: [InputValue] = [
    .uuid(person(21)), .uuid(person(20)), .text("timeBased"), .text("Europe/Madrid"),
    .boolean(true), .day(try day("2026-01-01")), .day(try day("2030-01-01")),
    .text(#"["08:00","20:00"]"#), .text("[1,3,5]"), .integer(45), .real(6.25),
    .timestamp(try time("2026-01-01T07:00:00Z")), .integer(4), .real(4.5), .integer(3),
    .text(#"["pain"]"#), now, now,
  ]
  let dose: [InputValue] = [
    .uuid(person(22)), .uuid(person(20)), .uuid(person(21)), .text("taken"), now, now,
    .text("Europe/Madrid"), .null, .text("x"), .text("[]"), .real(40.4), .real(-3.7), .text("y"),
    .text("ES"), now, now,
  ]
  let event: [InputValue] = [
    .uuid(person(23)), .uuid(person(1)), .text("Europe/Madrid"), .text("Asia/Tokyo"), now,
    .text("manual"), .boolean(true), now,
  ]
  let adjustment: [InputValue] = [
    .uuid(person(24)), .uuid(person(23)), .uuid(person(21)), .text("custom"),
    .text(#"["08:00","20:00"]"#), .text(#"["09:00","21:00"]"#), now,
  ]
  return [
    (.medications, medication), (.schedules, schedule), (.doseHistory, dose),
    (.timezoneEvents, event), (.scheduleAdjustments, adjustment),
  ]
}
