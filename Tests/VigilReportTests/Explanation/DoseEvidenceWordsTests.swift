import TestSupport
import Testing
import VigilModel

@testable import VigilReport

@Suite struct DoseEvidenceWordsTests {
  private func alert(recorded: Bool, usual missed: Int) throws -> PatternAlertState {
    var alert = try Samples.alert(
      person: 1, metric: "dose_adherence_pct", pattern: .drop, since: "2026-06-03", days: 10,
      baseline: 90, recent: 20)
    let since = alert.episode.activeSince
    alert.episode.doses = DoseEvidence(
      openedOn: since + 9, windowDays: 10, missed: 8, expected: 10, evidence: 12.4, threshold: 9.7,
      heldLevel: 0.8,
      anchor: DoseAnchor(
        missed: missed, expected: 100, share: 0.1, withinDay: 0.5,
        weekdays: SIMD8(repeating: 0.1), run: 0, countedDoses: 105),
      recordedOn: recorded ? since : nil)
    return alert
  }

  @Test func countsAreSaidAsPeopleSayThem() throws {
    #expect(
      try alert(recorded: true, usual: 10).sentence(AlertLimits())
        == "Doses: missed 8 of the last 10 since 2026-06-03, usually 1 of 10")
    #expect(
      try alert(recorded: true, usual: 0).sentence(AlertLimits())
        == "Doses: missed 8 of the last 10 since 2026-06-03, usually none")
  }

  @Test func whereNothingWasRecordedNothingIsSaidToBeMissed() throws {
    #expect(
      try alert(recorded: false, usual: 3).sentence(AlertLimits())
        == "Doses: none recorded since 2026-06-03")
  }

  @Test func theListHasCountsAndNats() throws {
    let doses = try #require(alert(recorded: true, usual: 31).episode.doses)
    #expect(doses.countsText == "missed 8 of 10, usually 3 of 10")
    #expect(doses.shortText == "10 days: 12.40 nats (needs 9.70)")
  }
}
