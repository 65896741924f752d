public import VigilModel

/// One person and day of `vitality-scores.json`.
public struct ScoreFixture: Decodable, Sendable, CustomStringConvertible {
  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public struct Expected: Decodable, Sendable {
    public struct Scores: Decodable, Sendable {
      public var sleep_score: Int?
      public var movement_score: Int?
      public var stress_score: Int?
      public var total_score: Int
    }
    public var age_group: String
    public var sub_metrics: [String: Double?]
    public var sub_scores: [String: Int?]
    public var scores: Scores?
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  public var birth_date: Day?
  public var name: String
  public var day: Day
  public var rows: [[String: JSON]]
  public var expected: Expected

  public var description: String { name }

  public static let all: [ScoreFixture] = SpecificationFixtures.cases("vitality-scores.json")
}

/// One family of `trend-insights.json`.
// swift-format-ignore: AlwaysUseLowerCamelCase
public struct TrendFixture: Decodable, Sendable, CustomStringConvertible {
  public struct Score: Decodable, Sendable {
    public var score_date: Day
    public var total_score: Int?
    public var sleep_score: Int?
    public var movement_score: Int?
    public var stress_score: Int?
  }

  public struct Member: Decodable, Sendable {
    public var user_id: String
    public var invite_status: FamilyMember.InviteStatus
    public var scores: [Score]
    public var adherence: [String: Double]
  }

  public struct Insight: Decodable, Sendable {
    public var pillar: Pillar
    public var rule: TrendRule
    public var severity: InsightSeverity
    public var recent: Double
    public var baseline: Double
    public var change: Double?
    public var coverage: Int
    public var confidence: Double
    public var suppressed_reason: TrendInsight.SuppressedReason?
  }

  public struct ExpectedMember: Decodable, Sendable {
    public var user_id: String
    public var coverage: Int
    public var days_needed: Int
    public var eligible: Bool
    public var insights: [Insight]
  }

  public struct Shown: Decodable, Sendable {
    public var user_id: String
    public var pillar: Pillar
    public var rule: TrendRule
  }

  public struct Expected: Decodable, Sendable {
    public var members: [ExpectedMember]
    public var family_insights: [Shown]
  }

  public var name: String
  public var day: Day
  public var viewer: String
  public var pattern_alerts: Bool
  public var members: [Member]
  public var expected: Expected

  public var description: String { name }

  public static let all: [TrendFixture] = SpecificationFixtures.cases("trend-insights.json")
}
