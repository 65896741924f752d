import Foundation
import GoldenFiles
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct QueueReportTests {
  private let externalIDs = [Samples.person(1): "participant-1"]

  private func rows() throws -> [QueuedNotification] {
    let alert = try Samples.alert(
      person: 1, metric: "steps", pattern: .drop, since: "2026-06-20", days: 9, baseline: 8420,
      recent: 3210)
    var recovery = try Samples.notification(1, about: alert, to: 3, channel: .sms, status: .sent)
    recovery.templateID = "pattern_alert.recovered"
    var strange = try Samples.notification(0, about: alert, status: .failed)
    strange.templateID = "welcome"
    strange.lastError = "the gateway is away"
    return [
      try Samples.notification(3, about: alert, reason: .quietHours),
      try Samples.notification(
        2, about: alert, channel: .inApp, status: .skipped, reason: .snoozed),
      recovery, strange,
    ]
  }

  @Test func tableShowsARowALineAndWhatWaitsForADecision() throws {
    let report = QueueReport(
      queue: .live, notifications: try rows(),
      counts: [.pending: 1, .sent: 1_200, .skipped: 1, .failed: 1],
      held: [.init(run: UUID(name: "run 1"), notifications: 140)], externalIDs: externalIDs,
      emptyHint: "")
    try expectSnapshot(report.text(style: .plain), "queue.txt")
    try expectSnapshot(try report.json(), "queue.json")
  }

  @Test func inATerminalWhatItIsAboutStaysAndTheTimeGoes() throws {
    let alert = try Samples.alert(person: 1, since: "2026-06-20", days: 9, baseline: 58, recent: 66)
    func subject(_ payload: String) throws -> String {
      var row = try Samples.notification(1, about: alert, status: .failed)
      row.payload = payload
      row.lastError = "http_503"
      let report = QueueReport(
        queue: .live, notifications: [row], counts: [.failed: 1], externalIDs: externalIDs,
        emptyHint: "")
      let text = report.text(style: TextStyle(usesColor: false, width: 80))
      #expect(text.contains("failed (http_503)") && text.contains("participant-1"), "\(text)")
      #expect(!text.contains("2026-07-01"), "\(text)")
      return text
    }
    #expect(
      try subject(#"{"detail":"standard","metric_type":"resting_hr"}"#)
        .contains("resting heart rate, level 7"))
    #expect(
      try subject(#"{"metric_type":"combined","metrics":["sleep_minutes","steps"]}"#)
        .contains("sleep +1, level 7"))
    #expect(try subject(#"{"alerts":[{},{},{}],"detail":"standard"}"#).contains("3 alerts"))
    #expect(try subject(#"{"detail":"reference","level":7}"#).contains("level 7"))
    #expect(try subject("no JSON").contains("level 7"))
  }

  @Test func nothingFoundSaysWhatToDoAndStillWhatWaits() {
    let empty = QueueReport(queue: .live, notifications: [], counts: [:], emptyHint: "Run vigil.")
    #expect(empty.text(style: .plain) == "No notifications match. Run vigil.\n")
    let held = QueueReport(
      queue: .live, notifications: [], counts: [:],
      held: [.init(run: UUID(name: "run 1"), notifications: 1)], emptyHint: "Held back.")
    let run = UUID(name: "run 1").shortened
    #expect(
      held.text(style: .plain)
        == "No notifications match. Held back.\n1 notification waits for a decision: vigil runs"
        + " release \(run), or vigil runs discard \(run).\n")
  }

  @Test func listHasNoPayloadAndOneRowHas() throws {
    let row = try rows()[3]
    let list = QueueReport(
      queue: .shadow, notifications: [row], counts: [.failed: 1], emptyHint: "")
    #expect(!(try list.json().contains("payload")))
    #expect(!list.text(style: .plain).contains(row.payload))
    let one = NotificationReport(notification: row, queue: .shadow, externalIDs: externalIDs)
    try expectSnapshot(one.text(style: .plain), "notification.txt")
    try expectSnapshot(try one.json(), "notification.json")
  }
}
