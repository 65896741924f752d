import PostgresTestServer
import Testing

@Suite("PostgreSQL: the calls of a sender")
struct PostgresStorageDispatchTests {
  @Test("a sender calls upon a caregiver by a row of the log, and adds nothing else")
  func keepsSenderToItsCalls() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_sender")
    func uuid(_ number: Int) -> String { "00000000-0000-0000-0000-0000000000\(number)" }
    func call(_ id: Int, step: Int, caregiver: Int = 2) -> String {
      """
      INSERT INTO escalation_log (id, patient_id, caregiver_id, escalation_type, related_blob_id, level, step)
      VALUES (
        '\(uuid(id))', '\(FamilySchema.id(1))', '\(FamilySchema.id(caregiver))', 'pattern_anomaly',
        '\(FamilySchema.id(1))', 14, \(step)
      )
      """
    }
    func notice(
      _ id: Int, call: Int, to recipient: Int = 2, type: String = "escalation"
    ) -> String {
      """
      INSERT INTO notification_queue (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id,
        level, channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at
      ) VALUES (
        '\(uuid(id))', '\(FamilySchema.id(recipient))', '\(FamilySchema.id(1))',
        '\(FamilySchema.id(1))', '\(type)', 'escalation.caregiver', 14, 'in_app', '{}', 'critical',
        now(), now(), 'call \(id)', '\(uuid(call))', now(), now()
      )
      """
    }
    try session.execute(call(80, step: 1))
    try session.execute(notice(81, call: 80))
    try session.execute("UPDATE escalation_log SET status = 'expired', resolution = 'no_response'")
    #expect(try session.lines("SELECT count(*) FROM emergency_contacts") == ["6"])
    for attempt in [
      // Calls of step 0 are a night's.
      call(82, step: 0),
      // Without its call, to another recipient, or of another kind.
      notice(83, call: 84), notice(83, call: 80, to: 3),
      notice(83, call: 80, type: "pattern_alert"),
      "DELETE FROM escalation_log", "UPDATE escalation_log SET caregiver_id = patient_id",
      "UPDATE escalation_log SET level = 3", "UPDATE caregiver_priority SET priority = 9",
      "DELETE FROM caregiver_availability", "UPDATE emergency_contacts SET opted_in_at = now()",
      "SELECT actor_user_id FROM alert_actions", "DELETE FROM alert_actions",
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
    for viewer in [1, 2, 3] {
      let reader = try family.session(as: "vigil_reader", viewer: viewer)
      #expect(
        try reader.lines("SELECT count(*) FROM escalation_log") == [viewer == 3 ? "0" : "1"])
      #expect(
        try reader.lines("SELECT DISTINCT user_id FROM caregiver_priority")
          == [FamilySchema.id(viewer)])
      #expect(
        try reader.lines("SELECT user_id FROM caregiver_availability")
          == [FamilySchema.id(viewer)])
    }
  }
}
