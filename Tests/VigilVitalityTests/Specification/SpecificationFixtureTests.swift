import Foundation
import ReferenceKernels
import TestSupport
import Testing
import VigilModel
import VigilVitality

/// The worked cases of the specification, through the public API.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct SpecificationFixtureTests {
  private func near(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= 1e-8 * max(1, abs(right))
  }

  @Test func fixturesAreRead() {
    #expect(ScoreFixture.all.count >= 20)
    #expect(TrendFixture.all.count >= 20)
  }

  @Test(arguments: ScoreFixture.all, ["v1", "v2"])
  func scores(_ fixture: ScoreFixture, profile: String) throws {
    let settings = try ShippedSettings.named(profile)
    let reach = settings.scores.reachDays
    let block = ObservationBlock.forVitality(
      personCount: 1, days: (fixture.day - (reach - 1))...fixture.day)
    for row in fixture.rows {
      let day = try #require(row["metric_date"]?.string.flatMap { Day($0) })
      let values = VitalityMetric.columns.map { row[$0.rawValue]?.number ?? .nan }
      values.withUnsafeBufferPointer { block.keepLargest(person: 0, day: day, values: $0) }
    }
    let scores = ScoreBlock(personCount: 1, days: fixture.day...fixture.day)
    VitalityScorer(settings: settings.scores)
      .score(block, birthDates: [fixture.birth_date], into: scores)
    let user = UUID(name: "person")
    let found = scores.computedRow(person: 0, day: fixture.day, user: user, settings: settings)
    let expected = fixture.expected.scores
    #expect(found?.total == expected?.total_score)
    #expect(found?.sleep == expected?.sleep_score)
    #expect(found?.movement == expected?.movement_score)
    #expect(found?.stress == expected?.stress_score)
    #expect(found == nil || found?.source == "vigil")
    #expect(found == nil || found?.schemaVersion == "vitality.\(profile)")
  }

  @Test(arguments: ScoreFixture.all)
  func theReferenceOfTheseTestsGivesThem(_ fixture: ScoreFixture) throws {
    let settings = try ShippedSettings.named("v1").scores
    let rows = try fixture.rows.map { row in
      ReferenceScores.Row(
        day: try #require(row["metric_date"]?.string.flatMap { Day($0) }),
        values: row.compactMapValues(\.number))
    }
    let found = ReferenceScores(
      rows: rows, day: fixture.day, birthDate: fixture.birth_date, settings: settings)
    #expect(found.ageGroup == fixture.expected.age_group)
    for subMetric in SubMetric.allCases {
      let name = subMetric.rawValue
      #expect(
        near(found.subMetrics[subMetric], fixture.expected.sub_metrics[name] ?? nil), "\(name)")
      #expect(found.subScores[subMetric] == fixture.expected.sub_scores[name] ?? nil, "\(name)")
    }
    #expect(found.total == fixture.expected.scores?.total_score)
  }

  @Test(arguments: TrendFixture.all)
  func trends(_ fixture: TrendFixture) throws {
    let settings = try ShippedSettings.named("v1").trends
    let users = try fixture.members.map { try #require(UUID(uuidString: $0.user_id)) }
    let days = (fixture.day - 40)...(fixture.day + 5)
    let scores = ScoreBlock(personCount: users.count, days: days)
    let adherence = ObservationBlock(personCount: users.count, metricCount: 1, days: days)
    for (person, member) in fixture.members.enumerated() {
      for score in member.scores {
        scores.takeForeign(
          VitalityScore(
            user: users[person], day: score.score_date, total: score.total_score,
            sleep: score.sleep_score, movement: score.movement_score, stress: score.stress_score,
            schemaVersion: "1", source: "app"), person: person)
      }
      for (text, value) in member.adherence {
        let day = try #require(Day(text))
        adherence.series(person: person, metric: 0)[day - days.lowerBound] = value
      }
    }
    let found = TrendEvaluator(settings: settings).evaluate(
      scores, users: users, adherence: adherence, on: fixture.day)
    let members = users.indices.map {
      FamilyMemberTrends(
        user: users[$0], inviteStatus: fixture.members[$0].invite_status, trends: found[$0])
    }
    for (person, expected) in fixture.expected.members.enumerated() {
      let trends = found[person]
      #expect(expected.user_id == users[person].lowercased)
      #expect(trends.coverage == expected.coverage)
      #expect(trends.daysNeeded == expected.days_needed)
      #expect(
        ReferenceFamilyInsights.isEligible(members[person], on: fixture.day, settings: settings)
          == expected.eligible)
      #expect(trends.insights.map(\.pillar) == expected.insights.map(\.pillar))
      for (insight, expected) in zip(trends.insights, expected.insights) {
        #expect(insight.rule == expected.rule)
        #expect(insight.severity == expected.severity)
        #expect(near(insight.recent, expected.recent))
        #expect(near(insight.baseline, expected.baseline))
        #expect(near(insight.change, expected.change))
        #expect(insight.coverage == expected.coverage)
        #expect(near(insight.confidence, expected.confidence))
        #expect(insight.suppressedReason == expected.suppressed_reason)
      }
    }
    let viewer = try #require(UUID(uuidString: fixture.viewer))
    let shown = ReferenceFamilyInsights.shown(
      to: viewer, members: members.shuffled(), on: fixture.day, settings: settings,
      hasPatternAlerts: fixture.pattern_alerts)
    #expect(
      shown.map { "\($0.user.lowercased) \($0.pillar) \($0.rule)" }
        == fixture.expected.family_insights.map { "\($0.user_id) \($0.pillar) \($0.rule)" })
  }
}
