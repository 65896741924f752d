public import Foundation
public import VigilModel
public import VigilStorage

extension SQLStorage {
  public func trendInsights(matching filter: InsightFilter) throws -> [TrendInsight] {
    guard !filter.rules.isEmpty else { return [] }
    return try withSession { try $0.trendInsights(matching: filter) }
  }

  public func trendCoverages(of users: [UUID]?) throws -> [TrendCoverage] {
    try withSession { session in
      guard let users else {
        return try session.rows(ResultStatement.listTrendCoverages) {
          try TrendCoverageRow.decode(&$0)
        }
      }
      return try session.rows(ResultStatement.listTrendCoveragesOfPersons, users) {
        try TrendCoverageRow.decode(&$0)
      }
    }
  }

  public func vitalityScores(
    of users: [UUID]?, in days: ClosedRange<Day>
  ) throws -> [VitalityScore] {
    try withSession { try $0.vitalityScores(of: users, in: days) }
  }
}

extension SQLSession {
  func trendInsights(matching filter: InsightFilter) throws -> [TrendInsight] {
    let (name, values) = filter.listing
    return try rows(statements.statement(name), values) { try TrendInsightRow.decode(&$0) }
  }

  func vitalityScores(of users: [UUID]?, in days: ClosedRange<Day>) throws -> [VitalityScore] {
    let (first, last) = (days.lowerBound, days.upperBound)
    guard let users else {
      return try rows(ResultStatement.listScores, first, last) {
        try VitalityScoreRow.decode(&$0)
      }.compactMap(\.self)
    }
    return try rows(ResultStatement.listScoresOfPersons, first, last, users) {
      try VitalityScoreRow.decode(&$0)
    }.compactMap(\.self)
  }
}

extension InsightFilter {
  /// The statement that lists what matches, and its parameters.
  ///
  /// Co-occurrences of a day have a list of their own, because they have an index of their own.
  fileprivate var listing: (ResultStatement, [SQLValue]) {
    let persons: [SQLValue] = users.map { [.uuids($0)] } ?? []
    let limit = limit.map { max(0, $0) }.sqlValue
    if let coveredDay, days == nil, rules == [.concurrentEpisodes] {
      let name: ResultStatement =
        users == nil ? .listCooccurrencesOn : .listCooccurrencesOfPersonsOn
      return (name, [.day(coveredDay), .boolean(includesSuppressed), limit] + persons)
    }
    let days = days ?? Day.calendar
    let values: [SQLValue] = [
      .day(days.lowerBound), .day(min(days.upperBound, coveredDay ?? days.upperBound)),
      .texts(rules.map(\.rawValue).sorted()), .boolean(includesSuppressed), limit,
      coveredDay.sqlValue,
    ]
    return (users == nil ? .listInsights : .listInsightsOfPersons, values + persons)
  }
}
