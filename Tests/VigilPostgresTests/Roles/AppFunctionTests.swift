import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@Suite("PostgreSQL: the functions with which an app acts for a member")
struct AppFunctionTests {
  private static let noAlert = "P0002 the viewer has no such alert"
  private static let noViewer = "42501 app.current_user_id names no person"

  /// The calls on an alert, by the word of their action.
  private static func calls(on alert: String) -> [String: String] {
    [
      "acknowledge": "acknowledge_alert(\(alert))", "dismiss": "dismiss_alert(\(alert))",
      "restore": "restore_alert(\(alert))", "snooze": "snooze_alert(\(alert), current_date + 9)",
    ]
  }

  private static func allCalls(on alert: String) -> [String] {
    calls(on: alert).values + ["mark_alert_read(\(alert))"]
  }

  private static func quoted(_ person: Int) -> String { "'\(FamilySchema.id(person))'" }

  /// Members whose alerts each person may act on.
  private static let visible: [Int: Set<Int>] = [
    1: [1, 2, 3, 5], 2: [1, 2, 3], 3: [1, 2, 3], 4: [4], 5: [5], 6: [6],
  ]

  @Test(
    "a member acts on alerts of their families, and learns nothing of others", arguments: visible)
  func keepsToFamilies(viewer: Int, visible: Set<Int>) throws {
    let session = try FamilySchema().session(as: "vigil_reader", viewer: viewer)
    for person in FamilySchema.everybody {
      for call in Self.allCalls(on: Self.quoted(person)) {
        let refusal = try session.refusal(of: "SELECT * FROM \(call)")
        #expect(refusal == (visible.contains(person) ? nil : Self.noAlert), "\(call)")
      }
    }
    for unknown in ["'\(FamilySchema.familyA)'", "NULL"] {
      for call in Self.allCalls(on: unknown) {
        #expect(try session.refusal(of: "SELECT * FROM \(call)") == Self.noAlert, "\(call)")
      }
    }
  }

  @Test("without a viewer nothing is done")
  func needsViewer() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader")
    let settings = [
      "RESET app.current_user_id": Self.noViewer,
      "SET app.current_user_id = ''": Self.noViewer,
      "SET app.current_user_id = 'unknown'": Self.noViewer,
      "SET app.current_user_id = '\(FamilySchema.id(1))x'": Self.noViewer,
      "SET app.current_user_id = '00000000-0000-0000-0000-0000000000ff'": Self.noAlert,
    ]
    for (setting, expected) in settings {
      try session.execute(setting)
      for call in Self.allCalls(on: Self.quoted(1)) {
        #expect(try session.refusal(of: "SELECT * FROM \(call)") == expected, "\(setting): \(call)")
      }
    }
    #expect(try family.session().lines("SELECT count(*) FROM alert_actions") == ["0"])
  }

  @Test("a member reads an alert once, and sees that of their own only")
  func marksRead() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    let reads = "SELECT count(*) FROM alert_reads WHERE alert_state_id = \(Self.quoted(3))"
    let mark = "SELECT mark_alert_read(\(Self.quoted(3)))"
    let first = try session.lines(mark)
    #expect(try session.lines(mark) == first)
    #expect(try session.lines(reads) == ["1"])
    #expect(try family.session(as: "vigil_reader", viewer: 1).lines(reads) == ["0"])
    // An alert that has ended is read, too.
    try family.session().execute(
      """
      UPDATE pattern_alert_state SET
        episode_status = 'resolved', resolved_on = '2026-01-08', resolution_reason = 'recovered'
      """)
    #expect(try session.refusal(of: "SELECT mark_alert_read(\(Self.quoted(1)))") == nil)
  }

  @Test("a member checks in for themselves, now")
  func checksIn() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    try owner.execute("DELETE FROM check_ins")
    let session = try family.session(as: "vigil_reader", viewer: 2)
    for call in ["check_in()", "check_in('responder')"] {
      #expect(
        try session.lines(
          "SELECT at BETWEEN statement_timestamp() AND clock_timestamp() FROM (SELECT \(call) AS at OFFSET 0) AS own"
        ) == ["t"])
    }
    #expect(
      try owner.lines("SELECT right(user_id::text, 1), kind FROM check_ins ORDER BY checked_in_at")
        == ["2 manual", "2 responder"])
    for kind in ["NULL", "''", "'asleep'"] {
      #expect(
        try session.refusal(of: "SELECT check_in(\(kind))")
          == "22023 a check-in is manual, automatic or responder")
    }
    for setting in ["''", "'unknown'", "'00000000-0000-0000-0000-0000000000ff'"] {
      try session.execute("SET app.current_user_id = \(setting)")
      #expect(try session.refusal(of: "SELECT check_in()") == Self.noViewer)
    }
    for role in ["vigil_engine", "vigil_backfill", "vigil_sender"] {
      let other = try family.session(as: role, viewer: 1)
      #expect(
        try other.refusal(of: "SELECT check_in()")
          == "42501 permission denied for function check_in")
    }
  }

  private static let noPing = "P0002 the viewer has no such ping"
  private static let noMember = "P0002 the viewer has no such member"
  private static let noCall = "P0002 the viewer has no such escalation"

  @Test("a member raises an alert of themselves, once at a time")
  func raisesAlert() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    // The one that they have raised before.
    #expect(
      try session.lines("SELECT alert_id FROM raise_alert()") == [FamilySchema.raisedAlert(2)])
    try owner.execute("DELETE FROM raised_alerts")
    let first = try session.lines("SELECT alert_id FROM raise_alert()")
    #expect(try session.lines("SELECT alert_id FROM raise_alert()") == first)
    let row = try owner.lines(
      """
      SELECT id, user_id, raised_at BETWEEN now() - INTERVAL '1 hour' AND now(), status,
        to_char(raised_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') FROM raised_alerts
      """)
    let parts = try #require(row.first).split(separator: " ").map(String.init)
    #expect(row.count == 1 && Array(parts[1...3]) == [FamilySchema.id(2), "t", "active"])
    let at = try #require(Timestamp(parts[4]))
    #expect(
      parts[0]
        == RaisedAlert(by: try #require(UUID(uuidString: FamilySchema.id(2))), at: at).id.lowercased
    )
  }

  @Test(
    "a member resolves alerts that their families have raised, and learns nothing of others",
    arguments: visible)
  func resolvesAlert(viewer: Int, visible: Set<Int>) throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: viewer)
    for person in FamilySchema.everybody {
      let call = "SELECT resolved_by FROM resolve_alert('\(FamilySchema.raisedAlert(person))')"
      if visible.contains(person) {
        #expect(try session.lines(call) == [FamilySchema.id(viewer)])
      } else {
        #expect(try session.refusal(of: call) == Self.noAlert)
      }
    }
    #expect(try session.refusal(of: "SELECT * FROM resolve_alert(NULL)") == Self.noAlert)
    // The first resolution stays, and no row of others has changed.
    let other = try family.session(as: "vigil_reader", viewer: 1)
    if visible.contains(1), viewer != 1 {
      #expect(
        try other.lines("SELECT resolved_by FROM resolve_alert('\(FamilySchema.raisedAlert(1))')")
          == [FamilySchema.id(viewer)])
    }
    let hidden = FamilySchema.everybody.filter { !visible.contains($0) }.map(FamilySchema.id)
    #expect(
      try family.session().lines(
        "SELECT user_id FROM raised_alerts WHERE status = 'active' ORDER BY 1") == hidden)
  }

  @Test("a member pings whom they may see, and answers pings to themselves", arguments: visible)
  func pings(viewer: Int, visible: Set<Int>) throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: viewer)
    for person in FamilySchema.everybody {
      let refusal = try session.refusal(of: "SELECT * FROM ping(\(Self.quoted(person)))")
      let mayPing = person != viewer && visible.contains(person)
      #expect(refusal == (mayPing ? nil : Self.noMember), "\(person)")
    }
    for unknown in ["NULL", "'\(FamilySchema.familyA)'"] {
      #expect(try session.refusal(of: "SELECT * FROM ping(\(unknown))") == Self.noMember)
      #expect(try session.refusal(of: "SELECT respond(\(unknown))") == Self.noPing)
    }
    // Each has pinged the next one.
    for sender in FamilySchema.everybody {
      let refusal = try session.refusal(of: "SELECT respond(\(Self.quoted(sender)))")
      #expect(refusal == (sender % 6 + 1 == viewer ? nil : Self.noPing), "\(sender)")
    }
    #expect(
      try family.session().lines(
        "SELECT recipient_user_id FROM pings WHERE status = 'responded'")
        == [FamilySchema.id(viewer)])
  }

  @Test("an answer is a check-in, and comes too late after a day")
  func answersPing() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    try owner.execute("DELETE FROM check_ins")
    let session = try family.session(as: "vigil_reader", viewer: 2)
    let first = try session.lines("SELECT respond(\(Self.quoted(1)))")
    #expect(try session.lines("SELECT respond(\(Self.quoted(1)))") == first)
    #expect(
      try owner.lines("SELECT right(user_id::text, 1), kind FROM check_ins") == ["2 responder"])
    try owner.execute("UPDATE pings SET expires_at = '2026-01-08' WHERE status = 'pending'")
    #expect(
      try family.session(as: "vigil_reader", viewer: 3).refusal(
        of: "SELECT respond(\(Self.quoted(2)))") == "55000 the ping has expired")
  }

  @Test("the member who was called upon resolves the call, and no other")
  func resolvesEscalation() throws {
    let family = try FamilySchema()
    try family.session().execute(
      """
      INSERT INTO escalation_log (
        id, patient_id, caregiver_id, escalation_type, related_blob_id, triggered_at, created_at,
        expires_at, level
      )
      SELECT id, id, '\(FamilySchema.id(1))', 'pattern_anomaly', id, '2026-01-07', '2026-01-07',
        '2999-01-01', 7
      FROM users
      """)
    for viewer in FamilySchema.everybody {
      let session = try family.session(as: "vigil_reader", viewer: viewer)
      for person in FamilySchema.everybody {
        let refusal = try session.refusal(
          of: "SELECT * FROM resolve_escalation(\(Self.quoted(person)), 'confirmed_ok')")
        let may = viewer == 1 && Self.visible[1]?.contains(person) == true
        #expect(refusal == (may ? nil : Self.noCall), "\(viewer) \(person)")
      }
    }
    let session = try family.session(as: "vigil_reader", viewer: 1)
    #expect(
      try session.lines(
        "SELECT status, resolution FROM resolve_escalation(\(Self.quoted(2)), 'false_alarm')")
        == ["resolved confirmed_ok"])
    for word in ["NULL", "''", "'no_response'", "'asleep'"] {
      #expect(
        try session.refusal(of: "SELECT * FROM resolve_escalation(\(Self.quoted(2)), \(word))")
          == "22023 a resolution is confirmed_ok, marked_taken, contacted_patient, called_emergency or false_alarm"
      )
    }
    #expect(
      try session.refusal(of: "SELECT * FROM resolve_escalation(NULL, 'false_alarm')")
        == Self.noCall)
    #expect(
      try family.session().lines(
        "SELECT right(patient_id::text, 1) FROM escalation_log WHERE status = 'resolved' ORDER BY 1"
      )
        == ["1", "2", "3", "5"])
  }

  private static let noNotification = "P0002 the viewer has no such notification"

  @Test("a recipient marks their own rows of the app, and learns nothing of others")
  func marksInApp() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    func call(_ function: String, _ id: String) -> String { "SELECT * FROM \(function)(\(id))" }
    // All rows are to person 1, and each is about another person.
    for viewer in FamilySchema.everybody {
      let session = try family.session(as: "vigil_reader", viewer: viewer)
      for person in FamilySchema.everybody {
        let may = viewer == 1 && Self.visible[1]?.contains(person) == true
        for function in ["mark_delivered", "mark_read"] {
          #expect(
            try session.refusal(of: call(function, Self.quoted(person)))
              == (may ? nil : Self.noNotification), "\(viewer) \(function) \(person)")
        }
      }
      for id in ["NULL", "'\(FamilySchema.familyA)'"] {
        #expect(try session.refusal(of: call("mark_read", id)) == Self.noNotification)
      }
    }
    #expect(
      try owner.lines(
        """
        SELECT right(member_user_id::text, 1), status, sent_at = delivered_at, read_at >= delivered_at
        FROM notification_queue WHERE delivered_at IS NOT NULL ORDER BY 1
        """) == ["1 sent t t", "2 sent t t", "3 sent t t", "5 sent t t"])
    let session = try family.session(as: "vigil_reader", viewer: 1)
    // Another channel, one that was never to be shown, and one that was withheld because the viewer is excluded.
    for change in [
      "channel = 'push', delivered_at = NULL, read_at = NULL",
      "channel = 'in_app', status = 'skipped', status_reason = 'snoozed'",
      "status = 'cancelled', status_reason = 'excluded'",
    ] {
      try owner.execute("UPDATE notification_queue SET \(change) WHERE id = \(Self.quoted(2))")
      for function in ["mark_delivered", "mark_read"] {
        #expect(
          try session.refusal(of: call(function, Self.quoted(2))) == Self.noNotification,
          "\(change)")
      }
    }
    // A group that names a person whom the viewer may not see.
    try owner.execute(
      """
      UPDATE notification_queue SET payload = '{"alerts": [{"member_user_id": "\(FamilySchema.id(6))"}]}'
      WHERE id = \(Self.quoted(3))
      """)
    #expect(try session.refusal(of: call("mark_read", Self.quoted(3))) == Self.noNotification)
  }

  @Test("what is not to be shown any more is hidden from an app")
  func hidesCancelledInApp() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    let session = try family.session(as: "vigil_reader", viewer: 1)
    func shown() throws -> [String] {
      try session.lines("SELECT right(member_user_id::text, 1) FROM notification_queue ORDER BY 1")
    }
    #expect(try shown() == ["1", "2", "3", "5"])
    try owner.execute(
      """
      UPDATE notification_queue SET status = 'cancelled', status_reason = 'resolved'
      WHERE id = \(Self.quoted(2));
      UPDATE notification_queue SET status = 'skipped', status_reason = 'snoozed'
      WHERE id = \(Self.quoted(3));
      UPDATE notification_queue SET channel = 'push', status = 'cancelled', status_reason = 'expired'
      WHERE id = \(Self.quoted(5))
      """)
    // Rows of other channels say how they ended, as always.
    #expect(try shown() == ["1", "5"])
  }

  @Test("a person chooses for themselves alone whether others are called about them")
  func choosesEscalation() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    #expect(try session.lines("SELECT * FROM set_escalation(7, 30)") == ["7 30", "14 60"])
    #expect(
      try session.lines("SELECT level, coalesce(window_minutes, 0) FROM turn_off_escalation()")
        == ["3 0", "7 0", "14 0", "21 0"])
    #expect(try session.lines("SELECT count(*) FROM reset_escalation(14)") == ["3"])
    #expect(try session.lines("SELECT * FROM reset_escalation()") == [])
    #expect(try session.lines("SELECT * FROM set_escalation(21, 10080)") == ["21 10080"])
    #expect(
      try owner.lines(
        "SELECT right(user_id::text, 1), level FROM escalation_settings ORDER BY 1, 2")
        == ["1 14", "2 21", "3 14", "4 14", "5 14", "6 14"])
    #expect(try session.lines("SELECT right(user_id::text, 1) FROM escalation_settings") == ["2"])
    let level = "22023 a level is 3, 7, 14 or 21"
    let window = "22023 a window has from 5 to 10080 minutes"
    for (call, expected) in [
      ("set_escalation(NULL, 60)", level), ("set_escalation(4, 60)", level),
      ("set_escalation(0, NULL)", level), ("reset_escalation(NULL)", level),
      ("set_escalation(7, 4)", window), ("set_escalation(7, 10081)", window),
      ("set_escalation(7, -2147483648)", window), ("set_escalation(7, 2147483648)", nil),
      ("set_escalation('7', '1; DELETE FROM users')", nil),
    ] as [(String, String?)] {
      let refusal = try session.refusal(of: "SELECT * FROM \(call)")
      #expect(refusal != nil && refusal == expected ?? refusal, "\(call): \(refusal ?? "allowed")")
    }
    // A table or a view of the app need not refer to users.
    let stranger = try family.session(as: "vigil_reader")
    try stranger.execute("SET app.current_user_id = '00000000-0000-0000-0000-0000000000ff'")
    #expect(try stranger.refusal(of: "SELECT * FROM turn_off_escalation()") == Self.noViewer)
  }

  @Test("the functions of help and pings need a viewer, and the role of a reader")
  func keepsHelpToReaders() throws {
    let family = try FamilySchema()
    let calls = [
      "raise_alert()", "resolve_alert('\(FamilySchema.raisedAlert(1))')", "ping(\(Self.quoted(2)))",
      "respond(\(Self.quoted(6)))", "resolve_escalation(\(Self.quoted(1)), 'false_alarm')",
      "mark_delivered(\(Self.quoted(1)))", "mark_read(\(Self.quoted(1)))",
      "set_escalation(7, 60)", "turn_off_escalation()", "reset_escalation()", "reset_escalation(7)",
    ]
    let reader = try family.session(as: "vigil_reader")
    for setting in ["''", "'unknown'", "'\(FamilySchema.id(1))x'"] {
      try reader.execute("SET app.current_user_id = \(setting)")
      for call in calls {
        #expect(try reader.refusal(of: "SELECT * FROM \(call)") == Self.noViewer, "\(call)")
      }
    }
    for role in ["vigil_engine", "vigil_backfill", "vigil_sender"] {
      let session = try family.session(as: role, viewer: 1)
      for call in calls {
        let refusal = try session.refusal(of: "SELECT * FROM \(call)")
        #expect(refusal?.hasPrefix("42501 permission denied for function") == true, "\(call)")
      }
    }
    let session = try family.session(as: "vigil_reader", viewer: 1)
    for attempt in [
      "SELECT * FROM vigil_raise_alert('2020-01-01')",
      "SELECT * FROM vigil_resolve_alert('\(FamilySchema.raisedAlert(2))', '2020-01-01')",
      "SELECT * FROM vigil_ping(\(Self.quoted(2)), '2020-01-01')",
      "SELECT vigil_respond(\(Self.quoted(6)), '2020-01-01')",
      "SELECT * FROM vigil_resolve_escalation(\(Self.quoted(1)), 'false_alarm', '2020-01-01')",
      "INSERT INTO raised_alerts (id, user_id, raised_at) SELECT gen_random_uuid(), user_id, now() FROM raised_alerts",
      "UPDATE raised_alerts SET status = 'resolved'", "DELETE FROM raised_alerts",
      "UPDATE pings SET status = 'responded'", "DELETE FROM pings",
      "SELECT * FROM vigil_mark_notification(\(Self.quoted(1)), TRUE, '2020-01-01')",
      "UPDATE notification_queue SET read_at = now()",
      "SELECT * FROM vigil_set_escalation(ARRAY[7], 60, FALSE)",
      "INSERT INTO escalation_settings (user_id, level) VALUES (\(Self.quoted(1)), 21)",
      "UPDATE escalation_settings SET window_minutes = NULL", "DELETE FROM escalation_settings",
      "SELECT * FROM check_in_reminders",
    ] {
      let refusal = try session.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
  }

  @Test("a snooze ends after today, in a year that a date can have")
  func limitsSnooze() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    for until in [
      "NULL", "current_date", "current_date - 1", "'-infinity'", "'infinity'", "'10000-01-01'",
    ] {
      let call = "SELECT * FROM snooze_alert(\(Self.quoted(1)), \(until))"
      #expect(
        try session.refusal(of: call)
          == "22023 a snooze ends after today (UTC) and in the year 9999 at the latest", "\(until)")
    }
    #expect(
      try session.lines("SELECT snooze_until FROM snooze_alert(\(Self.quoted(1)), '9999-12-31')")
        == ["9999-12-31"])
    // Today is that of UTC, wherever the session is.
    try session.execute("SET TimeZone = 'Pacific/Kiritimati'")
    #expect(
      try session.refusal(
        of: """
          SELECT * FROM snooze_alert(
            \(Self.quoted(1)), (clock_timestamp() AT TIME ZONE 'UTC')::date)
          """) != nil)
  }

  @Test("each function records its action of now, with the id that the library gives it")
  func recordsActions() throws {
    let family = try FamilySchema()
    let owner = try family.session()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    for (word, call) in Self.calls(on: Self.quoted(3)) {
      let before = try owner.lines("SELECT clock_timestamp()")[0]
      _ = try session.lines("SELECT * FROM \(call)")
      let row = try owner.lines(
        """
        SELECT id, action, actor_user_id, to_char(acted_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        FROM alert_actions
        WHERE alert_state_id = \(Self.quoted(3))
          AND acted_at BETWEEN '\(before)' AND clock_timestamp()
        """)
      #expect(row.count == 1)
      let parts = try #require(row.first).split(separator: " ").map(String.init)
      let alert = try #require(UUID(uuidString: FamilySchema.id(3)))
      let actor = try #require(UUID(uuidString: FamilySchema.id(2)))
      let until = try #require(Day("2999-01-01"))
      let kind: AlertAction.Kind =
        switch word {
        case "acknowledge": .acknowledge
        case "dismiss": .dismiss
        case "restore": .restore
        default: .snooze(until: until)
        }
      let at = try #require(Timestamp(parts[3]))
      #expect(parts[1] == word)
      #expect(parts[2] == FamilySchema.id(2))
      #expect(parts[0] == AlertAction(kind, alert: alert, by: actor, at: at).id.lowercased)
    }
  }

  @Test("ids are those of the library, whatever the length of the key")
  func derivesIDs() throws {
    let session = try FamilySchema().session()
    let keys = (0..<200).map {
      String(repeating: "é", count: $0 % 7) + String(repeating: "k", count: $0)
    }
    let list = keys.map { "'\($0)'" }.joined(separator: ", ")
    #expect(
      try session.lines(
        """
        SELECT vigil_id(one.key) FROM unnest(ARRAY[\(list)]) WITH ORDINALITY AS one (key, place)
        ORDER BY place
        """) == keys.map { UUID(name: $0).lowercased })
  }

  @Test("only a reader may call them, and may do nothing of it by hand")
  func keepsOthersOut() throws {
    let family = try FamilySchema()
    for role in ["vigil_engine", "vigil_backfill", "vigil_sender"] {
      let session = try family.session(as: role, viewer: 1)
      for call in Self.allCalls(on: Self.quoted(1)) {
        let refusal = try session.refusal(of: "SELECT * FROM \(call)")
        #expect(refusal?.hasPrefix("42501 permission denied for function") == true, "\(call)")
      }
    }
    let reader = try family.session(as: "vigil_reader", viewer: 1)
    for attempt in [
      "SELECT * FROM vigil_act_on_alert(\(Self.quoted(1)), 'dismiss', NULL, '2020-01-01')",
      "SELECT * FROM vigil_visible_event(\(Self.quoted(1)))", "SELECT vigil_id('a')",
      "SELECT vigil_sha1('a')", "SELECT vigil_acting_member()",
      "SELECT vigil_mark_alert_read(\(Self.quoted(1)), '2020-01-01')",
      "SELECT vigil_check_in('manual', '2020-01-01')",
      "INSERT INTO check_ins SELECT * FROM check_ins",
      "UPDATE pattern_alert_state SET dismissed_at = now()",
      "DELETE FROM alert_actions",
      "UPDATE notification_queue SET status = 'cancelled'",
      "UPDATE escalation_log SET status = 'resolved'",
    ] {
      let refusal = try reader.refusal(of: attempt)
      #expect(refusal?.hasPrefix("42501 ") == true, "\(attempt): \(refusal ?? "allowed")")
    }
  }

  @Test("objects that a reader puts in front of the schema are not used")
  func resistsTemporaryObjects() throws {
    let family = try FamilySchema()
    let session = try family.session(as: "vigil_reader", viewer: 2)
    try session.execute(
      session.rendered(
        """
        CREATE TEMPORARY TABLE pattern_alert_state AS
          SELECT * FROM {{schema}}.pattern_alert_state WITH NO DATA;
        CREATE TEMPORARY TABLE alert_actions (id uuid PRIMARY KEY, action text);
        CREATE TEMPORARY TABLE escalation_settings (user_id uuid, level integer, window_minutes integer);
        CREATE TEMPORARY TABLE notification_queue AS
          SELECT '\(FamilySchema.id(2))'::uuid AS id, '\(FamilySchema.id(2))'::uuid AS recipient_user_id;
        CREATE TEMPORARY TABLE family_members AS
          SELECT '\(FamilySchema.familyB)'::uuid AS family_id, '\(FamilySchema.id(2))'::uuid AS user_id,
            'accepted'::text AS invite_status;
        CREATE FUNCTION pg_temp.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
          'SELECT timestamptz ''2020-01-01''';
        CREATE FUNCTION pg_temp.vigil_viewer_id() RETURNS uuid LANGUAGE sql AS
          'SELECT ''\(FamilySchema.id(6))''::uuid';
        CREATE FUNCTION pg_temp.same(uuid, uuid) RETURNS boolean LANGUAGE sql AS 'SELECT TRUE';
        CREATE OPERATOR pg_temp.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = pg_temp.same);
        SET search_path = pg_temp, {{schema}}, pg_catalog;
        """))
    #expect(
      try session.refusal(of: "SELECT * FROM dismiss_alert(\(Self.quoted(6)))") == Self.noAlert)
    #expect(
      try session.refusal(of: "SELECT * FROM dismiss_alert(\(Self.quoted(5)))") == Self.noAlert)
    try session.execute("SELECT * FROM dismiss_alert(\(Self.quoted(3)))")
    #expect(try session.lines("SELECT count(*) FROM pg_temp.alert_actions") == ["0"])
    #expect(
      try session.refusal(of: "SELECT * FROM mark_read(\(Self.quoted(2)))") == Self.noNotification)
    try session.execute("SELECT * FROM set_escalation(3, 5)")
    #expect(try session.lines("SELECT count(*) FROM pg_temp.escalation_settings") == ["0"])
    #expect(
      try family.session().lines(
        "SELECT right(user_id::text, 1) FROM escalation_settings WHERE level = 3") == ["2"])
    #expect(
      try family.session().lines(
        """
        SELECT right(actor_user_id::text, 1), acted_at > '2026-01-01' FROM alert_actions
        """) == ["2 t"])
  }

  @Test("of two members at once the second sees what the first has done")
  func takesTurns() throws {
    let family = try FamilySchema()
    let group = "00000000-0000-0000-0000-0000000000aa"
    let owner = try family.session()
    try owner.execute(
      """
      UPDATE notification_queue SET expires_at = 'infinity';
      INSERT INTO notification_queue (
        id, recipient_user_id, member_user_id, alert_state_id, notification_type, template_id, level,
        channel, payload, priority, scheduled_for, expires_at, dedupe_key, run_id, created_at,
        updated_at
      )
      SELECT '\(group)', recipient_user_id, member_user_id, alert_state_id, 'pattern_alert_group',
        template_id, level, channel, payload, priority, scheduled_for, expires_at, 'group', run_id,
        created_at, updated_at
      FROM notification_queue WHERE id = \(Self.quoted(2));
      UPDATE notification_queue
      SET group_id = '\(group)', status = 'skipped', status_reason = 'grouped'
      WHERE id IN (\(Self.quoted(2)), \(Self.quoted(3)));
      """)
    let first = try family.session(as: "vigil_reader", viewer: 1)
    try first.execute(
      """
      BEGIN;
      SELECT * FROM dismiss_alert(\(Self.quoted(2)));
      SELECT * FROM acknowledge_alert(\(Self.quoted(3)))
      """)
    let second = try family.schema.session()
    try second.execute(
      "SET app.current_user_id = '\(FamilySchema.id(2))'; SET ROLE vigil_reader")
    try HeldUpCall(holder: first.session) {
      try second.execute(
        """
        SELECT * FROM dismiss_alert(\(Self.quoted(3)));
        SELECT * FROM acknowledge_alert(\(Self.quoted(3)))
        """)
    } until: {
      try first.execute("COMMIT")
    }
    // Neither of them saw the other's alert dismissed before; together they leave nothing in the group.
    #expect(
      try owner.lines("SELECT status, status_reason FROM notification_queue WHERE id = '\(group)'")
        == ["cancelled dismissed"])
    #expect(
      try owner.lines(
        "SELECT right(acknowledged_by::text, 1) FROM pattern_alert_state WHERE id = \(Self.quoted(3))"
      ) == ["1"])
    #expect(try owner.lines("SELECT count(*) FROM alert_actions") == ["4"])
  }
}
