import TestSupport
import Testing
import VigilStorage

@testable import VigilSQLite

@Suite("SQLite: the catalogue is what the migrations make")
struct SchemaMigrationsTests {
  private func findings(_ fixture: SQLiteFixture) -> [Finding] {
    fixture.storage.diagnose().filter { $0.check == "catalogue" }
  }

  @Test("a table that was made again without a constraint, and with another type, is found")
  func findsChanges() throws {
    try SQLiteFixture.with { fixture in
      let sql = try fixture.strings(
        "SELECT sql FROM sqlite_schema WHERE name = 'spent_notifications'")
      let text = try #require(sql.first ?? nil)
      #expect(text.contains("CONSTRAINT"))
      try fixture.execute(
        """
        DROP TABLE spent_notifications;
        CREATE TABLE spent_notifications (
          id TEXT PRIMARY KEY NOT NULL, pruned_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """)
      let found = findings(fixture)
      #expect(found.map(\.status) == [.failure])
      #expect(
        found.first?.detail
          == "spent_notifications: column pruned_at is 'pruned_at INTEGER NOT NULL',"
          + " not 'pruned_at TEXT NOT NULL'; constraint"
          + " spent_notifications_pruned_at_is_utc is missing")
      // However it is written.
      try fixture.execute(
        "DROP TABLE spent_notifications; "
          + text.split(whereSeparator: \.isNewline).joined(separator: " -- a comment\n\n  ")
          .replacing("spent_notifications (", with: "\"spent_notifications\"("))
      #expect(findings(fixture).map(\.status) == [.ok])
    }
  }

  @Test("a trigger may change what a run writes")
  func findsTriggers() throws {
    try SQLiteFixture.with { fixture in
      try fixture.execute(
        """
        CREATE TRIGGER silent BEFORE INSERT ON dose_analytics BEGIN SELECT RAISE(IGNORE); END
        """)
      let found = findings(fixture)
      #expect(found.map(\.status) == [.warning])
      #expect(found.map(\.detail) == ["dose_analytics: trigger silent is none of Vigil's"])
    }
  }

  @Test("a full check finds references to rows that are gone")
  func findsBrokenReferences() throws {
    try SQLiteFixture.with { fixture in
      let storage = fixture.storage
      func integrity(fully isFull: Bool) -> Finding? {
        storage.diagnose(fully: isFull).first { $0.check == "integrity" }
      }
      #expect(integrity(fully: true)?.status == .ok)
      try fixture.executeWithoutReferences(
        """
        INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES (
          '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'admin',
          'accepted'
        )
        """)
      #expect(integrity(fully: false)?.status == .ok)
      #expect(integrity(fully: true)?.status == .failure)
      #expect(
        integrity(fully: true)?.detail == "1 problems, the first: 1 rows of family_members refer to"
          + " rows of users that are not there")
    }
  }
}
