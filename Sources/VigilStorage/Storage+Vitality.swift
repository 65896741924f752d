public import Foundation
public import VigilModel

extension Storage {
  /// Rows of `trend_insights`, ordered by person, day, pillar, medication (without one first) and id.
  public func trendInsights(matching filter: InsightFilter) throws -> [TrendInsight] {
    let pillars = Pillar.allCases.enumerated()
      .map { "WHEN '\($1.rawValue)' THEN \($0)" }.joined(separator: " ")
    guard !filter.rules.isEmpty else { return [] }
    let (conditions, values) = filter.conditions(dialect)
    return try list(
      TrendInsightRow.table, columns: TrendInsightRow.readColumns, of: filter.users,
      conditions, values,
      order: "insight_date, CASE pillar \(pillars) END, medication_id NULLS FIRST, id",
      limit: filter.limit
    ) { try TrendInsightRow.decode($0) }
  }

  /// Rows of `trend_coverage`, ordered by person.
  ///
  /// - Parameter users: Only theirs; nil for everybody's.
  public func trendCoverages(of users: [UUID]?) throws -> [TrendCoverage] {
    try list(
      TrendCoverageRow.table, columns: TrendCoverageRow.readColumns, of: users, [], [],
      order: "evaluated_on"
    ) { try TrendCoverageRow.decode($0) }
  }

  /// Rows of `vitality_scores`, computed or not, ordered by person, day and source; those that cannot be
  /// used are left out.
  ///
  /// - Parameter users: Only theirs; nil for everybody's.
  public func vitalityScores(
    of users: [UUID]?, in days: ClosedRange<Day>
  ) throws -> [VitalityScore] {
    // An app may have other types, and both databases know these names.
    let columns =
      VitalityScoreRow.key + VitalityScoreRow.scores.map { "CAST(\($0) AS double precision)" }
      + ["CAST(schema_version AS text)", "CAST(source AS text)"]
    return try list(
      VitalityScoreRow.table, columns: columns, of: users,
      ["score_date BETWEEN $1 AND $2"], [.day(days.lowerBound), .day(days.upperBound)],
      order: "score_date, source"
    ) { try VitalityScoreRow.decode($0) }.compactMap(\.self)
  }

  /// Rows of a table, ordered by person and then as `order` says.
  private func list<Row>(
    _ table: String, columns: [String], of users: [UUID]?, _ conditions: [String],
    _ values: [InputValue], order: String, limit: Int? = nil,
    _ decode: (any RowReader) throws -> Row
  ) throws -> [Row] {
    func rows(_ conditions: [String], _ values: [InputValue], limit: Int?) throws -> [Row] {
      let clauses = [
        conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))",
        "ORDER BY user_id, \(order)", limit.map { "LIMIT \(max(0, $0))" } ?? "",
      ]
      return try self.rows(
        BoundStatement(
          "SELECT \(columns.joined(separator: ", ")) FROM {{schema}}.\(table) \(clauses.joined(separator: " "))",
          values, table: table, columns: columns), decode)
    }
    guard let users else { return try rows(conditions, values, limit: limit) }
    var found: [Row] = []
    var left = Set(users).sorted { $0.lowercased < $1.lowercased }[...]
    while !left.isEmpty, limit.map({ found.count < $0 }) ?? true {
      let some = left.prefix(mostPersonsAtOnce)
      left = left.dropFirst(some.count)
      let numbers = (1...some.count).map { "$\(values.count + $0)" }
      found += try rows(
        conditions + ["user_id IN (\(numbers.joined(separator: ", ")))"],
        values + some.map { .uuid($0) }, limit: limit.map { $0 - found.count })
    }
    return found
  }
}

/// A statement has only so many parameters.
private let mostPersonsAtOnce = 10_000
