import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The alerts about a medication follow from the days on which something was found.
@Suite("Alerts about a medication")
struct FindingCourseTests {
  private static let start = Day(ordinal: 20_454)  // 2026-01-01
  private static let series = SeriesKey(
    user: UUID(name: "person"), medication: UUID(name: "medication"), metric: .missedStreak,
    pattern: .medication)

  /// The stored alerts, as storage would keep them.
  private struct Stored {
    private(set) var alerts: [UUID: PatternAlertState] = [:]
    var profile = Profile(version: "v1", digest: "")

    /// Evaluates some days as a run does, and returns the changed alerts.
    @discardableResult
    mutating func evaluate(
      _ days: ClosedRange<Day>, found: Set<Day>, horizon: Day,
      continuing predecessors: [PatternAlertState] = []
    ) -> [PatternAlertState] {
      let course = FindingCourse(
        of: series, evaluated: days, horizon: horizon,
        provenance: .init(
          profile: profile, runID: UUID(name: "run"), at: Timestamp(microseconds: 0)))
      let changed = course.rows(
        foundOn: found.filter(days.contains),
        stored: alerts.values.filter {
          $0.episode.lastEvaluated >= days.lowerBound - 1 || $0.episode.isActive
        }, continuing: predecessors
      ).filter { $0.row != $0.known }.map(\.row)
      for alert in changed { alerts[alert.id] = alert }
      return changed
    }

    /// Counts every active alert as notified at its level, and returns how many levels that are.
    mutating func notify(on day: Day) -> Int {
      var count = 0
      for (id, alert) in alerts where alert.isGoing(on: day) {
        if (alert.lastNotifiedLevel?.rawValue ?? 0) < alert.episode.level.rawValue {
          alerts[id]?.lastNotifiedLevel = alert.episode.level
          count += 1
        }
      }
      return count
    }

    var supported: [PatternAlertState] {
      alerts.values.filter { !$0.isRetracted }
        .sorted { $0.episode.activeSince < $1.episode.activeSince }
    }
  }

  private func random(_ days: ClosedRange<Day>, _ random: inout SeededGenerator) -> Set<Day> {
    var found: Set<Day> = []
    var isFound = false
    for day in days {
      if random.chance(0.25) { isFound.toggle() }
      if isFound { found.insert(day) }
    }
    return found
  }

  @Test("each run of days is one alert, with the levels of other alerts")
  func levels() throws {
    var stored = Stored()
    let found = Set((0..<30).filter { $0 != 4 }.map { Self.start + $0 })
    stored.evaluate(Self.start...(Self.start + 29), found: found, horizon: Self.start + 29)
    let alerts = stored.supported
    #expect(
      alerts.map(\.foundDays)
        == [Self.start...(Self.start + 3), (Self.start + 5)...(Self.start + 29)])
    #expect(alerts[0].episode.resolution == .init(day: Self.start + 4, reason: .recovered))
    #expect(alerts[1].episode.isActive)
    let levels = [1, 4, 5, 11, 12, 18, 19].map { PatternType.medication.level(afterDays: $0) }
    #expect(levels == [.day3, .day3, .day7, .day7, .day14, .day14, .day21])
    #expect(alerts.map(\.episode.level) == [.day3, .day21])
    #expect(
      AlertLevel.allCases.map(MetricType.refillDue.severity) == [
        .attention, .attention, .critical, .critical,
      ])
  }

  @Test("nights, a backfill and pieces in any order leave the same alerts")
  func equivalence() throws {
    for seed in 1...Repetitions.count(fast: 200, long: 5_000) {
      var generator = SeededGenerator(seed: seed)
      let days = Self.start...(Self.start + 40)
      let found = random(days, &generator)
      var (backfill, nightly, pieces) = (Stored(), Stored(), Stored())
      backfill.evaluate(days, found: found, horizon: days.upperBound)
      for day in days { nightly.evaluate(day...day, found: found, horizon: day) }
      var cuts = [days.lowerBound]
      while let last = cuts.last, last <= days.upperBound {
        cuts.append(last + Int.random(in: 1...12, using: &generator))
      }
      var parts = zip(cuts, cuts.dropFirst()).map { $0...min($1 - 1, days.upperBound) }
      parts.shuffle(using: &generator)
      var horizon = parts[0].upperBound
      for part in parts {
        horizon = max(horizon, part.upperBound)
        pieces.evaluate(part, found: found, horizon: horizon)
      }
      #expect(nightly.supported == backfill.supported, "seed \(seed)")
      // Before all parts are known, an alert may begin later or end earlier than it does.
      #expect(
        pieces.supported.map(\.foundDays) == backfill.supported.map(\.foundDays), "seed \(seed)")
      #expect(
        pieces.supported.map(\.episode.isActive) == backfill.supported.map(\.episode.isActive),
        "seed \(seed)")
      // Repeated, nothing changes.
      #expect(
        backfill.evaluate(days, found: found, horizon: days.upperBound).isEmpty, "seed \(seed)")
      let last = days.upperBound
      #expect(nightly.evaluate(last...last, found: found, horizon: last).isEmpty, "seed \(seed)")
    }
  }

  @Test("late doses leave the alerts that timely ones would, and no level is notified twice")
  func lateData() throws {
    for seed in 1...Repetitions.count(fast: 200, long: 5_000) {
      var generator = SeededGenerator(seed: seed)
      let days = Self.start...(Self.start + 40)
      let last = random(days, &generator)
      // Doses come late, so that days are found at first on which nothing was missed.
      var present = last.union(random(days, &generator))
      var late = Stored()
      var notified: [UUID: Set<AlertLevel>] = [:]
      for day in days {
        var first = day
        for earlier in days where earlier < day && present.contains(earlier) {
          guard !last.contains(earlier), generator.chance(0.2) else { continue }
          present.remove(earlier)
          first = min(first, earlier)
        }
        late.evaluate(first...day, found: present, horizon: day)
        for alert in late.supported
        where alert.isGoing(on: day)
          && (alert.lastNotifiedLevel?.rawValue ?? 0) < alert.episode.level.rawValue
        {
          #expect(
            notified[alert.id, default: []].insert(alert.episode.level).inserted,
            "seed \(seed), \(day)")
        }
        _ = late.notify(on: day)
      }
      let open = days.filter { present.contains($0) && !last.contains($0) }
      if let first = open.first {
        late.evaluate(first...days.upperBound, found: last, horizon: days.upperBound)
      }
      var timely = Stored()
      timely.evaluate(days, found: last, horizon: days.upperBound)
      func dates(_ stored: Stored) -> [String] {
        stored.supported.map { "\($0.foundDays) \($0.episode.level) \($0.episode.isActive)" }
      }
      #expect(dates(late) == dates(timely), "seed \(seed)")
    }
  }

  @Test(
    "an alert whose first day moves keeps what was notified and set; one that goes is retracted")
  func inheritance() throws {
    var stored = Stored()
    let days = Self.start...(Self.start + 6)
    stored.evaluate(days, found: Set(days), horizon: days.upperBound)
    let before = try #require(stored.supported.first)
    #expect(stored.notify(on: days.upperBound) == 1)
    // A dose of the third day is logged: two alerts, the first over.
    var found = Set(days)
    found.remove(Self.start + 2)
    stored.evaluate((Self.start + 2)...days.upperBound, found: found, horizon: days.upperBound)
    #expect(stored.supported.map(\.episode.activeSince) == [Self.start, Self.start + 3])
    #expect(stored.supported.map(\.episode.isActive) == [false, true])
    #expect(stored.supported[1].lastNotifiedLevel == before.episode.level)
    #expect(stored.notify(on: days.upperBound) == 0)
    // All of them were taken.
    let changed = stored.evaluate(days, found: [], horizon: days.upperBound)
    #expect(changed.map(\.isRetracted) == [true, true])
    #expect(stored.supported.isEmpty)
    // A retracted alert that is found again is the same row.
    stored.evaluate(days, found: Set(days), horizon: days.upperBound)
    #expect(stored.supported.map(\.id) == [before.id])
    #expect(stored.notify(on: days.upperBound) == 0)
  }
  @Test("under another profile an alert goes on where the one before has left it")
  func otherProfile() throws {
    let days = Self.start...(Self.start + 6)
    var before = Stored()
    before.evaluate(days, found: Set(days), horizon: days.upperBound)
    #expect(before.notify(on: days.upperBound) == 1)
    var ended = try #require(before.supported.first)
    ended.dismissedAt = Timestamp(microseconds: 1)
    ended.episode.resolution = .init(day: Self.start + 7, reason: .profileChanged)
    var after = Stored(profile: Profile(version: "v2", digest: ""))
    let next = Self.start + 7
    let changed = after.evaluate(next...next, found: [next], horizon: next, continuing: [ended])
    #expect(changed.map(\.foundDays) == [Self.start...next])
    #expect(changed.map(\.profile.version) == ["v2"])
    #expect(changed.map(\.dismissedAt) == [ended.dismissedAt])
    // Level 7 was notified.
    #expect(after.notify(on: next) == 0)
  }
}

extension PatternAlertState {
  fileprivate func isGoing(on day: Day) -> Bool {
    episode.isActive && episode.lastDeviating == day
  }
}
