/// Rows of the input tables that no run can use: how many for each reason, and which they are.
public struct UnusableRows: Sendable, Hashable {
  /// By table and reason, in the order in which they were added; none of them 0.
  public private(set) var counts: [Count] = []
  /// Which rows they are; the first `mostDetails`.
  public private(set) var details: [UnusableRow] = []

  public static let mostDetails = 1_000

  public struct Count: Sendable, Hashable {
    public var table: String
    public var reason: UnusableRow.Reason
    public var count: Int
  }

  public init() {}

  public var isEmpty: Bool { counts.isEmpty }

  /// Rows of all tables and reasons.
  public var count: Int { counts.reduce(0) { $0 + $1.count } }

  /// Adds rows of one table and reason, of which some are known by name.
  public mutating func add(
    _ count: Int, of table: String, _ reason: UnusableRow.Reason, keys: some Sequence<String>
  ) {
    guard count > 0 else { return }
    if let index = counts.firstIndex(where: { $0.table == table && $0.reason == reason }) {
      counts[index].count += count
    } else {
      counts.append(Count(table: table, reason: reason, count: count))
    }
    let room = max(0, Self.mostDetails - details.count)
    details += keys.prefix(room).map { UnusableRow(table: table, reason: reason, key: $0) }
  }

  /// Adds one row.
  public mutating func addRow(
    of table: String, _ reason: UnusableRow.Reason, key: @autoclosure () -> [String]
  ) {
    let isNamed = details.count < Self.mostDetails
    add(1, of: table, reason, keys: isNamed ? [UnusableRow.key(key())] : [])
  }

  public static func + (first: UnusableRows, second: UnusableRows) -> UnusableRows {
    var total = first
    total += second
    return total
  }

  public static func += (total: inout UnusableRows, part: UnusableRows) {
    for count in part.counts {
      let keys = part.details.filter { $0.table == count.table && $0.reason == count.reason }
      total.add(count.count, of: count.table, count.reason, keys: keys.map(\.key))
    }
  }
}

/// One row of an input table that no run can use.
public struct UnusableRow: Sendable, Hashable {
  public var table: String
  public var reason: Reason
  /// The values of its key in its table, such as `person,day,source`.
  ///
  /// For `quarantined_rows` only, because it holds the id of a person.
  public var key: String

  public init(table: String, reason: Reason, key: String) {
    self.table = table
    self.reason = reason
    self.key = key
  }

  /// The reason is the word for it in `quarantined_rows` and in a run's data quality.
  public enum Reason: String, Error, CaseIterable {
    /// `user_id` is NULL.
    case noPerson = "no_person"
    /// `user_id` is not the id of a row of `users`.
    case unknownPerson = "unknown_person"
    /// `metric_date`, or what stands for it, is NULL.
    case noDate = "no_date"
    /// `metric_date`, or what stands for it, is no date of the years 1 to 9999.
    case impossibleDate = "impossible_date"
    /// The last day is no day of the calendar.
    case impossibleEndDate = "impossible_end_date"
    /// A time zone that is none of the IANA database.
    case unknownTimezone = "unknown_timezone"
    /// A list that holds no times of day, or other things, or weekdays that are none.
    case impossibleTimes = "impossible_times"
    /// `interval_based_hours` is missing, or not above 0.
    case impossibleInterval = "impossible_interval"
    case endBeforeStart = "end_before_start"
    /// Taken, but `actual_time` is NULL.
    case takenWithoutTime = "taken_without_time"
    /// Something that has happened after the run began.
    case futureTime = "future_time"
    /// `schedule_id` is no schedule of the medication.
    case unknownSchedule = "unknown_schedule"
    /// A column that cannot be done without is NULL, or holds what the column does not mean.
    case impossibleValue = "impossible_value"
    /// The metric is none that the profile follows, or has no column.
    case unfollowedMetric = "unfollowed_metric"
  }

  /// A row's key from the values of its key columns, of each the first 200 characters: an index
  /// does not take texts of any length.
  public static func key(_ values: [String]) -> String {
    values.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(200))) }
      .joined(separator: ",")
  }
}
