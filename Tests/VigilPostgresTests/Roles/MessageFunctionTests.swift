import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@Suite("PostgreSQL: the functions about text messages")
struct MessageFunctionTests {
  private static func report(_ message: String, _ status: String, _ at: String? = nil) -> String {
    "SELECT record_sms_delivery(\(message), \(status)\(at.map { ", \($0)" } ?? ""))"
  }

  private static let noMessage = "P0002 there is no such text message"
  private static let noStatus =
    "22023 a delivery status is queued, sent, delivered, failed or undelivered"
  private static let notYet = "22023 the report is of a time that has not come yet"

  @Test("an endpoint records reports, and learns nothing else")
  func endpoint() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_receiver")
    #expect(try session.lines(Self.report("'message-1'", "'sent'")) == ["sent"])
    #expect(
      try session.lines(Self.report("'message-1'", "'delivered'", "'2026-01-05'")) == ["delivered"])
    #expect(try session.lines(Self.report("'message-1'", "'failed'", "NULL")) == ["delivered"])
    // By the notification, in any letters.
    let id = FamilySchema.id(2)
    #expect(try session.lines(Self.report("upper('\(id)')", "'undelivered'")) == ["undelivered"])
    for (message, status, at, refusal) in [
      ("NULL", "'sent'", nil, Self.noMessage), ("''", "'sent'", nil, Self.noMessage),
      ("'message-_'", "'sent'", nil, Self.noMessage),
      ("'message-1'' OR ''1''=''1'", "'sent'", nil, Self.noMessage),
      ("'\(FamilySchema.familyA)'", "'sent'", nil, Self.noMessage),
      ("repeat('x', 100000)", "'sent'", nil, Self.noMessage),
      ("'message-3'", "NULL", nil, Self.noStatus), ("'message-3'", "''", nil, Self.noStatus),
      ("'message-3'", "'Delivered'", nil, Self.noStatus),
      ("'message-3'", "'read'", nil, Self.noStatus),
      ("'message-3'", "'delivered'", "now() + INTERVAL '1 hour'", Self.notYet),
      ("'message-3'", "'delivered'", "'infinity'", Self.notYet),
      ("'message-3'", "'delivered'", "'-infinity'", Self.notYet),
    ] as [(String, String, String?, String)] {
      #expect(
        try session.refusal(of: Self.report(message, status, at)) == refusal, "\(message) \(status)"
      )
    }
    for attempt in [
      "SELECT * FROM sms_log", "SELECT count(*) FROM sms_log", "UPDATE sms_log SET status = 'sent'",
      "UPDATE sms_log SET delivery_status = 'failed'", "DELETE FROM sms_log",
      "SELECT * FROM users", "SELECT * FROM contact_points", "SELECT * FROM notification_queue",
      "SELECT * FROM sms_quota", "SELECT * FROM own_sms_quota()", "SELECT * FROM raise_alert()",
      "SELECT * FROM schema_migrations",
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
    let rows = try family.session().lines(
      """
      SELECT right(notification_id::text, 1), status, delivery_status,
        delivery_status_at >= created_at - INTERVAL '1 year' FROM sms_log ORDER BY 1
      """)
    // What the quota counts has not changed.
    #expect(rows.count == 6)
    #expect(
      Array(rows.prefix(3)) == ["1 sent delivered t", "2 sent undelivered t", "3 sent queued t"])
  }

  @Test("a report of a time that is past takes nothing back")
  func monotone() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_receiver")
    _ = try session.lines(Self.report("'message-1'", "'sent'", "'2026-01-05'"))
    _ = try session.lines(Self.report("'message-1'", "'delivered'", "'0044-03-15 BC'"))
    #expect(
      try family.session().lines(
        "SELECT delivery_status, delivery_status_at::date FROM sms_log WHERE provider_message_id = 'message-1'"
      ) == ["delivered 2026-01-05"])
  }

  @Test("only an endpoint and an operator may report")
  func keepsOthersOut() throws {
    let family = try FamilySchema()
    for role in ["vigil_backfill", "vigil_reader", "vigil_sender"] {
      let session = try family.session(as: role, viewer: 1)
      for call in [
        Self.report("'message-1'", "'failed'"), Self.report("'message-1'", "'failed'", "now()"),
      ] {
        #expect(
          try session.refusal(of: call)
            == "42501 permission denied for function record_sms_delivery"
        )
      }
    }
    let engine = try family.session(as: "vigil_engine")
    #expect(try engine.lines(Self.report("'message-1'", "'failed'")) == ["failed"])
  }

  @Test("a member sees their own quota, and that of no other")
  func quota() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    try owner.execute(
      """
      UPDATE sms_log SET month = date_trunc('month', now() AT TIME ZONE 'UTC');
      INSERT INTO sms_log (
        notification_id, month, recipient_user_id, sms_type, status, delivery_status_at, fencing_token,
        created_at, updated_at
      )
      SELECT gen_random_uuid(), month, recipient_user_id, 'emergency', one.status, now(), 1, now(), now()
      FROM sms_log, (VALUES ('unknown'), ('not_sent'), ('attempting')) AS one (status)
      WHERE recipient_user_id = '\(FamilySchema.id(2))'
      """)
    let shown = "SELECT used, allowed, remaining, starts_again > now() FROM own_sms_quota()"
    let second = try family.session(as: "vigil_reader", viewer: 2)
    #expect(try second.lines(shown).map { $0.split(separator: " ").first } == ["3"])
    try owner.execute("INSERT INTO sms_quota VALUES (1, 5, 80, now())")
    #expect(try second.lines(shown) == ["3 5 2 t"])
    #expect(try family.session(as: "vigil_reader", viewer: 1).lines(shown) == ["1 5 4 t"])
    let reader = try family.session(as: "vigil_reader")
    for setting in ["''", "'unknown'"] {
      try reader.execute("SET app.current_user_id = \(setting)")
      #expect(
        try reader.refusal(of: shown) == "42501 app.current_user_id names no person")
    }
    for role in ["vigil_engine", "vigil_backfill", "vigil_sender", "vigil_receiver"] {
      #expect(
        try family.session(as: role, viewer: 1).refusal(of: shown)
          == "42501 permission denied for function own_sms_quota")
    }
    for attempt in [
      "SELECT * FROM sms_log", "SELECT * FROM sms_quota", "SELECT * FROM sms_quota_warnings",
      "INSERT INTO sms_quota VALUES (1, 5, 80, now())", "UPDATE sms_quota SET per_month = 100",
    ] {
      let refusal = try second.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
  }

  @Test("objects that a caller puts in front of the schema are not used")
  func resistsTemporaryObjects() throws {
    let family = try FamilySchema()
    for (role, call, expected) in [
      ("vigil_receiver", Self.report("'message-1'", "'delivered'"), "delivered"),
      ("vigil_reader", "SELECT used FROM own_sms_quota()", "0"),
    ] {
      let session = try family.session(as: role, viewer: 2)
      try session.execute(
        session.rendered(
          """
          CREATE TEMPORARY TABLE sms_log (
            notification_id uuid, month date, provider_message_id text, delivery_status text,
            delivery_status_at timestamptz, updated_at timestamptz, recipient_user_id uuid, status text
          );
          CREATE TEMPORARY TABLE sms_quota (per_month integer);
          CREATE FUNCTION pg_temp.vigil_viewer_id() RETURNS uuid LANGUAGE sql AS
            'SELECT ''\(FamilySchema.id(6))''::uuid';
          CREATE FUNCTION pg_temp.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
            'SELECT timestamptz ''2999-01-01''';
          CREATE FUNCTION pg_temp.greatest(timestamptz, timestamptz) RETURNS timestamptz LANGUAGE sql AS
            'SELECT timestamptz ''2999-01-01''';
          CREATE FUNCTION pg_temp.same(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE';
          CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.same);
          SET search_path = pg_temp, {{schema}}, pg_catalog;
          """))
      #expect(try session.lines(call) == [expected])
      #expect(try session.lines("SELECT count(*) FROM pg_temp.sms_log") == ["0"])
    }
    #expect(
      try family.session().lines(
        "SELECT count(*) FROM sms_log WHERE delivery_status = 'delivered' AND delivery_status_at < now() + INTERVAL '1 hour'"
      ) == ["1"])
  }

  @Test("a sender warns of a quota by what it has marked, and never by telephone")
  func senderWarns() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_sender")
    func notice(to recipient: Int, about member: Int, by channel: String) -> String {
      """
      INSERT INTO notification_queue (
        id, recipient_user_id, member_user_id, prompt_id, notification_type, template_id, channel,
        payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at, updated_at
      ) VALUES (
        gen_random_uuid(), '\(FamilySchema.id(recipient))', '\(FamilySchema.id(member))', gen_random_uuid(),
        'quota_warning', 'quota_warning', '\(channel)', '{}', 'normal', now(), now(), gen_random_uuid(),
        gen_random_uuid(), now(), now()
      )
      """
    }
    let policy =
      "42501 new row violates row-level security policy for table \"notification_queue\""
    #expect(try session.refusal(of: notice(to: 1, about: 1, by: "push")) == policy)
    try session.execute(
      "INSERT INTO sms_quota_warnings VALUES ('\(FamilySchema.id(1))', '2026-01-01', now())")
    #expect(try session.refusal(of: notice(to: 1, about: 1, by: "push")) == nil)
    #expect(try session.refusal(of: notice(to: 2, about: 1, by: "push")) == policy)
    for channel in ["sms", "call"] {
      #expect(try session.refusal(of: notice(to: 1, about: 1, by: channel)) == policy)
    }
    #expect(
      try session.refusal(of: "DELETE FROM sms_quota_warnings")?.hasPrefix("42501 ") == true)
  }
}
