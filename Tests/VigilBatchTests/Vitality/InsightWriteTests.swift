import Foundation
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

@Suite("Episodes at the same time")
struct InsightWriteTests {
  private static let person = UUID(name: "person")
  private static let adherence = MetricType("dose_adherence_pct")
  private static let start = Day(ordinal: 20_454)

  private func state(
    _ metric: MetricType, _ days: ClosedRange<Day>, person: UUID = person
  ) -> PatternAlertState {
    let window = EpisodeFigures.Window(
      value: 1, start: days.lowerBound, end: days.upperBound, count: days.count)
    let now = BatchDatabase.now
    return PatternAlertState(
      profile: Profile(version: "v1", digest: ""),
      series: SeriesKey(user: person, metric: metric, pattern: .drop),
      episode: Episode(
        activeSince: days.lowerBound, lastEvaluated: days.upperBound, duration: days.count,
        level: .day3, figures: EpisodeFigures(baseline: window, recent: window),
        resolution: .init(day: days.upperBound, reason: .recovered)),
      runID: UUID(), computedAt: now,
      createdAt: now, updatedAt: now)
  }

  private func coOccurrences(
    of stored: [PatternAlertState], changed: [PatternAlertState] = []
  ) -> InsightWrite {
    var write = InsightWrite(persons: [Self.person])
    write.addCoOccurrences(of: stored, changed: changed, with: Self.adherence)
    return write
  }

  @Test("that no longer meet were compared, and are not found")
  func comparesAllStates() {
    let doses = state(Self.adherence, Self.start...(Self.start + 20))
    let steps = state(MetricType("steps"), (Self.start + 10)...(Self.start + 30))
    let stranger = state(
      MetricType("steps"), Self.start...(Self.start + 30), person: UUID(name: "stranger"))
    let before = coOccurrences(of: [doses, steps, stranger])
    #expect(before.insights.map(\.coverage) == [11])
    let compared = [Self.person: [doses.id, steps.id].sorted()]
    #expect(before.comparedStates == compared)

    let shorter = state(Self.adherence, Self.start...(Self.start + 5))
    #expect(shorter.id == doses.id)
    let after = coOccurrences(of: [doses, steps, stranger], changed: [shorter])
    #expect(after.insights.isEmpty)
    #expect(after.retractedStates.isEmpty)
    #expect(after.comparedStates == compared)
  }
}
