import TestSupport
import Testing
import VigilModel

/// One person and day of `vitality-scores.json`.
struct ScoreFixture: Decodable, Sendable, CustomTestStringConvertible {
  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Expected: Decodable, Sendable {
    struct Scores: Decodable, Sendable {
      var sleep_score: Int?
      var movement_score: Int?
      var stress_score: Int?
      var total_score: Int
    }
    var age_group: String
    var sub_metrics: [String: Double?]
    var sub_scores: [String: Int?]
    var scores: Scores?
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  var birth_date: Day?
  var name: String
  var day: Day
  var rows: [[String: JSON]]
  var expected: Expected

  var testDescription: String { name }

  static let all: [ScoreFixture] = SpecificationFixtures.cases("vitality-scores.json")
}

/// One family of `trend-insights.json`.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct TrendFixture: Decodable, Sendable, CustomTestStringConvertible {
  struct Score: Decodable, Sendable {
    var score_date: Day
    var total_score: Int?
    var sleep_score: Int?
    var movement_score: Int?
    var stress_score: Int?
  }

  struct Member: Decodable, Sendable {
    var user_id: String
    var invite_status: FamilyMember.InviteStatus
    var scores: [Score]
    var adherence: [String: Double]
  }

  struct Insight: Decodable, Sendable {
    var pillar: Pillar
    var rule: TrendRule
    var severity: InsightSeverity
    var recent: Double
    var baseline: Double
    var change: Double?
    var coverage: Int
    var confidence: Double
    var suppressed_reason: TrendInsight.SuppressedReason?
  }

  struct ExpectedMember: Decodable, Sendable {
    var user_id: String
    var coverage: Int
    var days_needed: Int
    var eligible: Bool
    var insights: [Insight]
  }

  struct Shown: Decodable, Sendable {
    var user_id: String
    var pillar: Pillar
    var rule: TrendRule
  }

  struct Expected: Decodable, Sendable {
    var members: [ExpectedMember]
    var family_insights: [Shown]
  }

  var name: String
  var day: Day
  var viewer: String
  var pattern_alerts: Bool
  var members: [Member]
  var expected: Expected

  var testDescription: String { name }

  static let all: [TrendFixture] = SpecificationFixtures.cases("trend-insights.json")
}
