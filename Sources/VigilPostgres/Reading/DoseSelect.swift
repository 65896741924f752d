import Foundation
import VigilModel
import VigilStorage

/// How runs find the doses of some medications that were due or taken within some time.
///
/// Most doses are taken within a day of the time for which they were planned, and are found by one range of
/// an index on the medication and `scheduled_time`; those without such a time, or far off it, have an index
/// of their own. A table or view of an app may have neither, and one scan for both is then better than two.
struct DoseSelect {
  enum Way: CaseIterable {
    /// All in one scan.
    case together
    /// Those near the time for which they were planned, and those off schedule.
    case apart
  }

  private let select: MedicationSelect
  /// The one type of both times; nil where they differ, or where one of them is missing or none.
  private let typeOfTimes: String?

  init(_ select: MedicationSelect) {
    self.select = select
    let type = select.type(of: "scheduled_time")
    typeOfTimes =
      type == select.type(of: "actual_time") && type?.hasPrefix("timestamp") == true ? type : nil
  }

  /// The ways that give the right rows; all give the same.
  var ways: [Way] { typeOfTimes == nil ? [.together] : Way.allCases }

  // MARK: Doses of a batch

  /// A COPY of the doses of some medications.
  ///
  /// It takes no parameters: what stands in its text are ids and instants in the spelling of their types.
  func copy(_ way: Way, medications: [UUID], times: ClosedRange<Timestamp>) -> String {
    "COPY (\(sql(way, medications: medications, times: times))) TO STDOUT (FORMAT binary)"
  }

  /// What the planner expects to be the least work.
  func cheapestWay(
    for medications: [UUID], times: ClosedRange<Timestamp>, on connection: Connection
  ) throws -> Way {
    guard ways.count > 1 else { return .together }
    let costs = try ways.map { way in
      let plan = try connection.text(
        "EXPLAIN (FORMAT JSON) \(sql(way, medications: medications, times: times))")
      return (way, Self.cost(ofPlan: plan))
    }
    return costs.min { $0.1 < $1.1 }?.0 ?? .together
  }

  private static func cost(ofPlan json: String) -> Double {
    let plans = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let plan = plans?.first?["Plan"] as? [String: Any]
    return (plan?["Total Cost"] as? NSNumber)?.doubleValue ?? .infinity
  }

  func sql(_ way: Way, medications: [UUID], times: ClosedRange<Timestamp>) -> String {
    let ids = medications.map(\.lowercased).joined(separator: ",")
    // Their spelling knows only the years of the calendar.
    let firstInstant = Day.calendar.lowerBound.midnight
    let lastInstant = (Day.calendar.upperBound + 1).midnight.adding(seconds: -1)
    let times = times.clamped(to: firstInstant...lastInstant)
    return conditions(way, from: "'\(times.lowerBound)'", to: "'\(times.upperBound)'")
      .map { condition in
        """
        SELECT \(select.expressions.joined(separator: ", ")) FROM {{schema}}.\(select.table.name)
        WHERE medication_id = ANY ('{\(ids)}'::uuid[]) AND \(condition)
        """
      }.joined(separator: "\nUNION ALL\n")
  }

  // MARK: Conditions

  /// Whether a medication, which is SQL, has a dose that was due or taken between two instants, which are
  /// SQL too.
  func exists(ofMedication medication: String, from first: String, to last: String) -> String {
    conditions(ways.last ?? .together, from: first, to: last)
      .map { condition in
        """
        (
          SELECT TRUE FROM {{schema}}.\(select.table.name)
          WHERE medication_id = \(medication) AND \(condition) LIMIT 1)
        """
      }.joined(separator: " OR ")
  }

  /// Each dose meets one of them, or none; in the columns' own types, so that an index on them is of use.
  private func conditions(_ way: Way, from first: String, to last: String) -> [String] {
    guard way == .apart, let type = typeOfTimes else {
      let conditions = ["scheduled_time", "actual_time"].compactMap { column in
        select.type(of: column).map { "\(column) BETWEEN \(first)::\($0) AND \(last)::\($0)" }
      }
      return ["(\(conditions.isEmpty ? "FALSE" : conditions.joined(separator: " OR ")))"]
    }
    let between = "BETWEEN \(first)::\(type) AND \(last)::\(type)"
    let isNear = """
      scheduled_time BETWEEN
        \(first)::\(type) - INTERVAL '24 hours' AND \(last)::\(type) + INTERVAL '24 hours'
      """
    return [
      "\(isNear) AND (scheduled_time \(between) OR actual_time \(between))",
      // As the predicate of the index has it, word by word.
      """
      CASE
        WHEN isfinite(scheduled_time) AND isfinite(actual_time)
          THEN actual_time - scheduled_time NOT BETWEEN INTERVAL '-24 hours' AND INTERVAL '24 hours'
        ELSE actual_time IS NOT NULL
      END AND actual_time \(between) AND (\(isNear)) IS NOT TRUE
      """,
    ]
  }
}
