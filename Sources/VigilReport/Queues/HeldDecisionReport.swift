import VigilModel
public import VigilStorage

/// The output of `vigil runs release` and `vigil runs discard`.
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

  /// The number of held notifications that will not be sent.
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
        : "; \(NumberText.count(droppedCount)) withheld: their alerts have ended, were snoozed or"
          + " dismissed, or were notified by another run"
      return "\(NumberText.count(enqueued, "notification")) of run \(run) enqueued\(dropped).\n"
    case .discard:
      return "\(NumberText.count(droppedCount, "notification")) of run \(run) discarded; no member"
        + " is notified unless an alert escalates.\n"
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "decision": decision.rawValue,
      "notifications_enqueued": enqueued,
      "notifications_dropped": droppedCount,
      "run": after.fields(atWork: [after.id]),
    ]
    try fields.encode(to: encoder)
  }
}
