import VigilModel
public import VigilStorage

/// What `vigil runs release` and `vigil runs discard` say.
public struct HeldDecisionReport: Sendable {
  public let decision: HeldDecision
  public let before: RunRecord
  public let after: RunRecord

  public init(decision: HeldDecision, before: RunRecord, after: RunRecord) {
    self.decision = decision
    self.before = before
    self.after = after
  }

  private var enqueued: Int {
    after.counts.notificationsEnqueued - before.counts.notificationsEnqueued
  }

  /// Those that are not told any more.
  private var droppedCount: Int {
    before.counts.notificationsHeld - after.counts.notificationsHeld - enqueued
  }
}

extension HeldDecisionReport: Report {
  public func text(style: TextStyle) -> String {
    let run = after.id.shortened
    switch decision {
    case .release:
      let dropped =
        droppedCount == 0
        ? ""
        : "; \(NumberText.count(droppedCount)) not any more: their alerts have ended, were set"
          + " aside, or were notified by another run"
      return "\(NumberText.count(enqueued, "notification")) of run \(run) enqueued\(dropped).\n"
    case .discard:
      return "\(NumberText.count(droppedCount, "notification")) of run \(run) discarded; nobody is"
        + " told unless an alert escalates.\n"
    }
  }

  private struct Document: Encodable {
    var decision: String
    var notificationsEnqueued: Int
    var notificationsDropped: Int
    var run: RunDocument
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      decision: decision.rawValue, notificationsEnqueued: enqueued,
      notificationsDropped: droppedCount, run: RunDocument(after, atWork: [after.id])
    ).encode(to: encoder)
  }
}
