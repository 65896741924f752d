import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilStorage

@testable import VigilPostgres

@Suite("PostgreSQL: an app that logs in as a reader")
struct ReaderLoginTests {
  /// Made once on the server that tests share, when a migration has made its role.
  private static let login = Result {
    try PostgresSession(url: PostgresServer.shared().url(as: "postgres"))
      .execute("CREATE ROLE app LOGIN IN ROLE vigil_reader")
  }

  private let family: FamilySchema
  private let storage: PostgresStorage
  private let day: Day

  init() throws {
    family = try FamilySchema()
    try Self.login.get()
    storage = try PostgresStorage(
      url: family.schema.url(as: "app"), schema: family.schema.name)
    day = try #require(Day("2026-01-20"))
  }

  private func alerts(_ family: String, for viewer: Int) throws -> [String] {
    try storage.familyAlerts(
      of: #require(UUID(uuidString: family)),
      for: #require(UUID(uuidString: FamilySchema.id(viewer))), on: day
    ).map { String($0.series.user.lowercased.suffix(1)) }
  }

  /// The server process of a pooled connection, and what a query on it gives.
  private func pooled(_ query: String) throws -> (process: Int, answer: String) {
    try storage.withConnection { ($0.serverProcess, try $0.text(query)) }
  }

  private static let viewer = "SELECT current_setting('app.current_user_id', TRUE)"

  @Test("the library gives a reader the alerts that the viewer may read, and no others")
  func readsAsViewer() throws {
    #expect(try alerts(FamilySchema.familyA, for: 1) == ["2", "3"])
    #expect(try alerts(FamilySchema.familyB, for: 1) == ["5"])
    // 1 has excluded 5.
    #expect(try alerts(FamilySchema.familyB, for: 5) == [])
    for (family, viewer) in [
      (FamilySchema.familyA, 4), (FamilySchema.familyB, 3), (FamilySchema.familyA, 6),
      (FamilySchema.id(9), 1),
    ] {
      let error = #expect(throws: StorageError.self) { try alerts(family, for: viewer) }
      #expect(error == .viewerIsNoMember)
    }
  }

  @Test(
    "a viewer is forgotten with the transaction, also by a connection that goes back to the pool")
  func forgetsTheViewer() throws {
    let first = try pooled(Self.viewer)
    #expect(first.answer == "")
    #expect(try alerts(FamilySchema.familyA, for: 1) == ["2", "3"])
    _ = #expect(throws: StorageError.self) { try alerts(FamilySchema.familyA, for: 6) }
    let later = try pooled(Self.viewer)
    #expect(later.process == first.process)
    #expect(later.answer == "")
    for table in ["users", "pattern_alert_state", "family_members", "alert_recipient_exclusions"] {
      let count = "SELECT count(*)::text FROM {{schema}}.\(table)"
      #expect(try pooled(count).answer == "0", "\(table)")
    }
  }

  @Test("the library gives a reader the trends that the family sees, and no others")
  func readsInsights() throws {
    try family.session().execute("UPDATE pattern_alert_state SET dismissed_at = now()")
    func insights(_ family: String, for viewer: Int, on day: Day?) throws -> [String] {
      try storage.familyInsights(
        of: #require(UUID(uuidString: family)),
        for: #require(UUID(uuidString: FamilySchema.id(viewer))), on: day, today: self.day
      ).map { String($0.user.lowercased.suffix(1)) }
    }
    let evaluated = try #require(Day("2026-01-07"))
    // Every member has a positive insight; one of them is shown.
    for day in [nil, evaluated] {
      #expect(try insights(FamilySchema.familyA, for: 1, on: day) == ["2"])
      #expect(try insights(FamilySchema.familyA, for: 2, on: day) == ["1"])
      #expect(try insights(FamilySchema.familyB, for: 1, on: day) == ["5"])
    }
    try family.session().execute(
      "UPDATE trend_insights SET rule = 'low_streak', severity = 'attention'")
    #expect(try insights(FamilySchema.familyA, for: 1, on: nil) == ["2", "3"])
    #expect(try insights(FamilySchema.familyA, for: 1, on: evaluated + 1) == [])
    for (family, viewer) in [
      (FamilySchema.familyA, 4), (FamilySchema.familyB, 3), (FamilySchema.familyA, 6),
      (FamilySchema.id(9), 1),
    ] {
      let error = #expect(throws: StorageError.self) {
        try insights(family, for: viewer, on: nil)
      }
      #expect(error == .viewerIsNoMember)
    }
  }

  @Test("a right that is missing is not taken for a viewer who is no member")
  func refusalsHaveDifferentReasons() throws {
    try family.session().execute(
      "REVOKE ALL ON FUNCTION get_family_pattern_alerts(uuid, uuid, date) FROM vigil_reader")
    let error = #expect(throws: StorageError.self) { try alerts(FamilySchema.familyA, for: 1) }
    #expect(error?.code == .permissionDenied)
    #expect(error?.message.contains("get_family_pattern_alerts") == true)
  }
}
