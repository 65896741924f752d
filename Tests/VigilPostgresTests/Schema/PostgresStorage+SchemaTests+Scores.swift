import Foundation
import PostgresTestServer
import Testing
import VigilModel
import VigilSQL
import VigilStorage

@testable import VigilPostgres

/// An app that shows scores has a table of its own for them, to which runs add those that are missing.
extension PostgresStorageSchemaTests {
  private static let ownScores = """
    CREATE TYPE origin AS ENUM ('app', 'import', 'vigil');
    CREATE TABLE vitality_scores (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id uuid, score_date date, total_score numeric(5, 2), sleep_score real,
      movement_score smallint, stress_score double precision, schema_version varchar(20),
      source origin, note text
    );
    CREATE INDEX ON vitality_scores (user_id, score_date);
    """

  private static func scores(_ rows: String) -> String {
    """
    INSERT INTO users (id, created_at, updated_at) VALUES
      ('\(FamilySchema.id(1))', now(), now()), ('\(FamilySchema.id(2))', now(), now());
    INSERT INTO vitality_scores (
      user_id, score_date, total_score, sleep_score, movement_score, stress_score, schema_version,
      source
    ) VALUES \(rows)
    """
  }

  private func score(_ person: Int, _ date: String, _ total: Int) throws -> VitalityScore {
    VitalityScore(
      user: try #require(UUID(uuidString: FamilySchema.id(person))), day: try #require(Day(date)),
      total: total, sleep: nil, movement: 70, stress: 30, schemaVersion: "v1",
      source: VitalityScore.computedSource)
  }

  private func read(
    _ storage: PostgresStorage, _ persons: Int...
  ) throws -> (texts: [String], unusable: UnusableRows) {
    let ids = try persons.map { try #require(UUID(uuidString: FamilySchema.id($0))) }
    let days = try #require(Day("2026-01-01"))...#require(Day("2026-01-31"))
    var texts: [String] = []
    let unusable = try storage.makeReader().readScores(of: ids, days: days) { person, row in
      let scores = [row.total, row.sleep, row.movement, row.stress].map {
        $0.map(String.init) ?? "-"
      }
      texts.append(
        "\(persons[person]) \(row.day) \(scores.joined(separator: " ")) \(row.source)")
    }
    return (texts, unusable)
  }

  @Test("an app's table of scores is read and written as it is, and outlives the way down")
  func takesScores() throws {
    let schema = try schema(with: Self.ownScores)
    try migrateUpAndDown(schema)
    #expect(
      try SchemaSession(schema).lines(
        """
        SELECT relrowsecurity, (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid),
          has_table_privilege('vigil_engine', oid, 'SELECT, INSERT, UPDATE, DELETE'),
          has_table_privilege('vigil_reader', oid, 'SELECT')
        FROM pg_class WHERE oid = 'vitality_scores'::regclass
        """) == ["f 0 t f"])
    let storage = try storage(schema)
    #expect(storage.diagnose().allSatisfy { $0.status != .failure })
  }

  @Test("scores of other types are rounded half up, and what is none takes its day and is named")
  func readsOtherTypes() throws {
    let schema = try schema(with: Self.ownScores)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let (one, two) = (FamilySchema.id(1), FamilySchema.id(2))
    try execute(
      Self.scores(
        """
        ('\(one)', '2026-01-05', 79.50, 64.4, 0, 99.5, NULL, 'app'),
        ('\(one)', '2026-01-06', 100.01, 1, 1, 1, '3', 'app'),
        ('\(one)', '2026-01-07', 1, 1, -1, 1, '3', 'app'),
        ('\(one)', '2026-01-08', 1, 1, 1, 'NaN', '3', 'app'),
        ('\(one)', '2026-01-09', NULL, NULL, NULL, NULL, '3', 'import'),
        ('\(one)', '2026-01-10', 101, 1, 1, 1, '3', 'app'),
        ('\(one)', '2026-01-10', 70, 1, 1, 1, '3', 'import'),
        ('\(one)', '2026-01-11', 71, 1, 1, 1, '3', 'app'),
        ('\(one)', '2026-01-11', 101, 1, 1, 1, '3', 'import'),
        ('\(one)', '2026-01-12', 101, 1, 1, 1, '3', 'vigil'),
        ('\(two)', '2026-01-05', 1, 1, 1, 1, '3', NULL),
        ('\(two)', 'infinity', 1, 1, 1, 1, '3', 'app'), ('\(two)', NULL, 1, 1, 1, 1, '3', 'app'),
        (NULL, '2026-01-05', 1, 1, 1, 1, '3', 'app'),
        ('\(FamilySchema.id(9))', '2026-01-05', 1, 1, 1, 1, '3', 'app')
        """), in: schema)
    let (texts, unusable) = try read(storage, 2, 1)
    // Of one day the last row counts, and one without scores only where there is no other.
    #expect(
      texts.sorted() == [
        "1 2026-01-05 80 64 0 100 app", "1 2026-01-06 - - - - app", "1 2026-01-07 - - - - app",
        "1 2026-01-08 - - - - app", "1 2026-01-09 - - - - import", "1 2026-01-10 - - - - app",
        "1 2026-01-10 70 1 1 1 import", "1 2026-01-11 71 1 1 1 app", "2 2026-01-05 - - - - ",
      ])
    #expect(texts.filter { $0.hasPrefix("1 2026-01-10") }.last == "1 2026-01-10 70 1 1 1 import")
    #expect(unusable.counts.map(\.reason) == [.impossibleValue])
    #expect(
      Set(unusable.details.map(\.key)) == [
        "\(one),2026-01-06", "\(one),2026-01-07", "\(one),2026-01-08", "\(two),2026-01-05",
        "\(one),2026-01-10", "\(one),2026-01-11", "\(one),2026-01-12",
      ])
    let days = try #require(Day("2026-01-01"))...#require(Day("2026-01-31"))
    #expect(
      try storage.unusableRows(in: days).counts.map { "\($0.table) \($0.reason) \($0.count)" } == [
        "vitality_scores noPerson 1", "vitality_scores unknownPerson 1", "vitality_scores noDate 1",
        "vitality_scores impossibleDate 1",
      ])
    let listed = try storage.vitalityScores(
      of: [#require(UUID(uuidString: one))], in: days)
    #expect(listed.map(\.total) == [80, nil, 70, 71])
    #expect(listed.map(\.schemaVersion) == ["", "3", "3", "3"])
  }

  @Test("without any unique index scores are written once, and the app's are left alone")
  func writesScores() throws {
    let schema = try schema(with: Self.ownScores)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      Self.scores("('\(FamilySchema.id(1))', '2026-01-05', 50, 50, 50, 50, '3', 'app')"), in: schema
    )
    func write(_ vitality: VitalityWrite) throws {
      _ = try storage.write(
        BatchWrite(
          alertStates: [], notifications: [], queue: .shadow, runID: UUID(), writtenAt: Self.now,
          vitality: vitality))
    }
    for total in [60, 60, 61] {
      try write(
        VitalityWrite(
          scores: [
            score(1, "2026-01-05", total), score(1, "2026-01-06", total),
            score(2, "2026-01-06", total),
          ]))
    }
    let written = try read(storage, 1, 2).texts
    #expect(
      written == [
        "1 2026-01-05 50 50 50 50 app", "1 2026-01-06 61 - 70 30 vigil",
        "2 2026-01-06 61 - 70 30 vigil",
      ])
    try write(
      VitalityWrite(
        outdatedScores: [score(1, "2026-01-05", 0), score(2, "2026-01-06", 0)].map {
          .init(user: $0.user, day: $0.day)
        }))
    #expect(try read(storage, 1, 2).texts.map { $0.suffix(5) } == ["0 app", "vigil"])
  }

  @Test("a view that can be written to does as well as a table")
  func takesViewOfScores() throws {
    let schema = try schema(
      with: """
        CREATE TABLE app_scores (
          person uuid, day date, all_in_all integer, sleep integer, movement integer, stress integer,
          version text, origin text, PRIMARY KEY (person, day)
        );
        CREATE VIEW vitality_scores AS
          SELECT person AS user_id, day AS score_date, all_in_all AS total_score,
            sleep AS sleep_score, movement AS movement_score, stress AS stress_score,
            version AS schema_version, origin AS source
          FROM app_scores;
        """)
    try migrateUpAndDown(schema)
    let storage = try storage(schema)
    #expect(storage.diagnose().allSatisfy { $0.status != .failure })
    try execute(
      Self.scores("('\(FamilySchema.id(1))', '2026-01-05', 50, 50, 50, 50, '3', 'app')"), in: schema
    )
    _ = try storage.write(
      BatchWrite(
        alertStates: [], notifications: [], queue: .shadow, runID: UUID(), writtenAt: Self.now,
        vitality: VitalityWrite(
          scores: [score(1, "2026-01-05", 60), score(1, "2026-01-06", 60)])))
    #expect(
      try SchemaSession(schema).lines("SELECT all_in_all, origin FROM app_scores ORDER BY day")
        == ["50 app", "60 vigil"])
  }

  @Test(
    "what cannot be written to under the name of the scores is an error",
    arguments: [
      ("CREATE SEQUENCE vitality_scores", "neither a table nor a view that can be written to"),
      (
        "CREATE MATERIALIZED VIEW vitality_scores AS SELECT 1 AS total_score",
        "neither a table nor a view that can be written to"
      ),
      ("CREATE VIEW vitality_scores AS SELECT 1 AS total_score", "cannot be written to"),
    ])
  func refusesOtherScores(sql: String, message: String) throws {
    let schema = try schema(with: sql)
    let error = try #require(throws: StorageError.self) {
      try storage(schema).migrate(at: Self.now)
    }
    #expect(error.code == .schemaNotCurrent)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test("columns of scores that are missing, and of other types, are named by the doctor")
  func namesColumnsOfScores() throws {
    let schema = try schema(
      with: Self.ownScores + """
        ALTER TABLE vitality_scores DROP COLUMN stress_score;
        ALTER TABLE vitality_scores ALTER COLUMN score_date TYPE timestamp;
        ALTER TABLE vitality_scores ALTER COLUMN sleep_score TYPE text;
        """)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let failures = storage.diagnose().filter { $0.status == .failure }
    #expect(
      failures.map(\.detail) == [
        "vitality_scores.score_date is timestamp without time zone, not date",
        "vitality_scores.sleep_score is text, not integer",
        "vitality_scores has no column stress_score",
      ])
    #expect(failures.last?.remedy == "add it as integer: runs write the scores that they compute")
  }

  @Test("columns of scores that cannot take what runs write are named by the doctor")
  func namesColumnsThatCannotBeWritten() throws {
    let schema = try schema(
      with: Self.ownScores + """
        CREATE TYPE app_only AS ENUM ('app');
        CREATE DOMAIN brief AS varchar(4);
        ALTER TABLE vitality_scores
          ALTER COLUMN source TYPE app_only USING NULL,
          ALTER COLUMN schema_version TYPE brief,
          ALTER COLUMN sleep_score SET NOT NULL,
          ALTER COLUMN note SET NOT NULL,
          ADD COLUMN made_at timestamptz NOT NULL DEFAULT now();
        """)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    func failures() -> [String] {
      storage.diagnose().filter { $0.status == .failure }.map(\.detail)
    }
    #expect(
      failures() == [
        "vitality_scores.schema_version is \(schema.quotedName).brief, which does not hold what runs"
          + " write into it",
        "vitality_scores.source is \(schema.quotedName).app_only, which does not hold what runs write"
          + " into it",
        "vitality_scores.sleep_score must have a value, and runs have none where the data do not"
          + " suffice for a score",
        "vitality_scores.note must have a value, and runs do not know it",
      ])
    try execute(
      """
      ALTER TABLE vitality_scores
        ALTER COLUMN source TYPE varchar(4), ALTER COLUMN schema_version TYPE integer USING 3
      """, in: schema)
    #expect(
      failures().prefix(2) == [
        "vitality_scores.schema_version is integer, which does not hold what runs write into it",
        "vitality_scores.source is character varying(4), which does not hold what runs write into it",
      ])
    try execute(
      """
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
      CREATE TRIGGER fill BEFORE INSERT ON vitality_scores FOR EACH ROW EXECUTE FUNCTION fill();
      ALTER TABLE vitality_scores
        ALTER COLUMN source TYPE varchar(5), ALTER COLUMN schema_version TYPE name;
      """, in: schema)
    #expect(failures().isEmpty)
  }

  @Test("a source that would be shortened is refused before anything is written")
  func refusesShortSource() throws {
    let schema = try schema(
      with: Self.ownScores + "ALTER TABLE vitality_scores ALTER COLUMN source TYPE varchar(4)")
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    try execute(
      Self.scores("('\(FamilySchema.id(1))', '2026-01-05', 1, 1, 1, 1, '3', 'app')"), in: schema)
    let error = try #require(throws: StorageError.self) {
      try storage.write(
        BatchWrite(
          alertStates: [], notifications: [], queue: .shadow, runID: UUID(), writtenAt: Self.now,
          vitality: VitalityWrite(scores: [score(1, "2026-01-06", 60)])))
    }
    #expect(error.message.contains("vitality_scores.source is character varying(4)"))
    #expect(try SchemaSession(schema).lines("SELECT source FROM vitality_scores") == ["app"])
  }

  @Test("birth dates of a view are read where they are dates, and unknown otherwise")
  func readsBirthDates() throws {
    let schema = try schema(with: Self.views)
    let storage = try storage(schema)
    _ = try storage.migrate(at: Self.now)
    let persons = try [1, 2, 9].map { try #require(UUID(uuidString: FamilySchema.id($0))) }
    #expect(try storage.makeReader().birthDates(of: persons) == [nil, nil, nil])
    let expected = [
      "DATE '1950-02-28'": Day("1950-02-28"), "TIMESTAMP '1950-02-28 23:00'": Day("1950-02-28"),
      "DATE 'infinity'": nil, "DATE '0044-03-15 BC'": nil, "'soon'::text": nil,
    ]
    for (expression, date) in expected {
      try execute(
        """
        DROP VIEW users;
        CREATE VIEW users AS
          SELECT number AS id, mail AS external_id, \(expression) AS birth_date FROM person
        """, in: schema)
      #expect(
        try storage.makeReader().birthDates(of: persons) == [date, date, nil], "\(expression)")
    }
  }
}
