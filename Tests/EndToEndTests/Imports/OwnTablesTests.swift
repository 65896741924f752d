import Foundation
import PostgresTestServer
import TestSupport
import Testing

/// The views of docs/own-tables.md, made as they stand there.
@Suite struct OwnTablesTests {
  private let guide: String

  init() throws {
    guide = try String(
      contentsOf: SharedFolder.repository.appending(path: "docs/own-tables.md"), encoding: .utf8)
  }

  /// The SQL of the section on views.
  private func viewsOfOwnTables() throws -> String {
    let section = try #require(guide.range(of: "\n## The views\n"))
    let rest = guide[section.upperBound...]
    let start = try #require(rest.range(of: "```sql\n"))
    let end = try #require(rest[start.upperBound...].range(of: "```"))
    return String(rest[start.upperBound..<end.lowerBound])
  }

  /// The tables that the SQL makes views of; the steps of one person fall in the last week.
  private static let ownTables = """
    CREATE TABLE public.accounts (id uuid PRIMARY KEY, birth_date date);
    CREATE TABLE public.family_members (
      family_id uuid, user_id uuid, role text, invite_status text);
    CREATE TABLE public.alert_recipient_exclusions (subject_user_id uuid, excluded_user_id uuid);
    CREATE TABLE public.exercise_sessions (
      id uuid PRIMARY KEY, user_id uuid, metric_date date, activity_type_name text);
    CREATE TABLE public.wearable_daily_metrics (
      user_id uuid, metric_date date, source text, steps integer, sleep_minutes integer,
      hrv_ms real, resting_hr numeric(5, 1), sleep_efficiency_pct real, movement_minutes integer);
    INSERT INTO public.accounts VALUES ('11111111-1111-4111-8111-111111111111', '1950-05-01');
    INSERT INTO public.wearable_daily_metrics
      SELECT '11111111-1111-4111-8111-111111111111', day::date, 'watch',
        CASE WHEN day > '2026-06-24' THEN 3000 ELSE 8000 END, 420, 40, 60.5, 90, 50
      FROM generate_series(timestamp '2026-05-01', '2026-06-30', '1 day') AS day;
    """

  @Test func runReadsOwnTablesThroughTheViews() async throws {
    // A server for this test alone: the names of the schemas are those of the text.
    let server = try PostgresServer()
    let session = try PostgresSession(url: server.url())
    try session.execute(Self.ownTables)
    try session.execute(viewsOfOwnTables())
    let folder = try TemporaryFolder()
    func vigil(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(
        arguments: arguments + ["--schema", "vigil"], in: folder,
        environment: ["VIGIL_DATABASE": server.url()])
    }
    let migrated = try await vigil("migrate")
    #expect(migrated.status == 0, "\(migrated.errors)")
    let doctor = try await vigil("doctor")
    #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
    #expect(doctor.output.contains("has no column deep_sleep_minutes: runs with v3 leave it out"))
    #expect(doctor.output.contains("add it to the view, as double precision"))

    let run = try await vigil("run", "--date", "2026-06-30", "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.errors.split(separator: "\n").filter { $0.contains("without a column") }
    #expect(lines.count == 1 && lines[0].contains(" metrics=deep_sleep_minutes "), "\(run.errors)")
    let record = try #require(try JSON(text: run.output)["run"])
    #expect(record["counts"]?["episodes_opened"] == .number(1))
    let quality = record["data_quality"]?.elements.filter { $0["unit"] == .string("metrics") }
    #expect(
      quality == [
        .object([
          "metric": .string("deep_sleep_minutes"), "reason": .string("no_column"),
          "count": .number(1), "unit": .string("metrics"),
        ])
      ])
    let alerts = try await vigil("alerts", "list")
    #expect(alerts.output.contains("1 alert: 1 attention."), "\(alerts.output)")
    let shown = try await vigil("runs")
    #expect(shown.status == 0)

    // The same check says the same where a run cannot be.
    try session.execute("DROP VIEW vigil.wearable_daily_metrics")
    try session.execute(
      """
      CREATE VIEW vigil.wearable_daily_metrics AS
        SELECT user_id, metric_date, source, steps AS walked FROM public.wearable_daily_metrics
      """)
    let warned = try await vigil("doctor")
    #expect(warned.status == 69)
    #expect(warned.output.contains("none of the metrics of v1"), "\(warned.output)")
    let refused = try await vigil("run", "--date", "2026-06-30")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("none of the metrics of v1"), "\(refused.errors)")
    #expect(!refused.errors.contains("ALTER TABLE"))
  }

  @Test("infinity, by which PostgreSQL says that there is no end, is none")
  func treatmentsWithoutEnd() async throws {
    let database = try PostgresSchema(inNewDatabaseOf: .shared())
    let session = try PostgresSession(url: database.url)
    try session.execute(
      """
      CREATE TABLE med (
        id uuid, user_id uuid, name text, start_date date, end_date date, is_active boolean);
      CREATE TABLE sch (
        id uuid, medication_id uuid, type text, reference_timezone text, start_date date,
        end_date date, time_based_times text[], is_active boolean);
      CREATE TABLE dh (
        id uuid DEFAULT gen_random_uuid(), medication_id uuid, schedule_id uuid, status text,
        scheduled_time timestamptz, actual_time timestamptz, recorded_timezone text,
        created_at timestamptz DEFAULT now());
      INSERT INTO med VALUES (
        '22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111', 'm',
        '2026-05-01', 'infinity', true);
      INSERT INTO sch VALUES (
        '33333333-3333-4333-8333-333333333333', '22222222-2222-4222-8222-222222222222',
        'timeBased', 'UTC', '2026-05-01', 'infinity', '{08:00}', true);
      INSERT INTO dh (
        medication_id, schedule_id, status, scheduled_time, actual_time, recorded_timezone)
      SELECT '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333', 'taken',
        day + time '08:00', day + time '08:05', 'UTC'
      FROM generate_series(timestamptz '2026-05-01', timestamptz '2026-05-30', '1 day') AS day;
      CREATE SCHEMA vigil;
      CREATE VIEW vigil.users AS SELECT
        '11111111-1111-4111-8111-111111111111'::uuid AS id, NULL::text AS external_id,
        NULL::date AS birth_date;
      CREATE VIEW vigil.medications AS SELECT * FROM med;
      CREATE VIEW vigil.schedules AS SELECT * FROM sch;
      CREATE VIEW vigil.dose_history AS SELECT * FROM dh;
      """)
    let folder = try TemporaryFolder()
    func vigil(_ arguments: String...) async throws -> CommandRun {
      try await CommandRun.vigil(
        arguments: arguments + ["--schema", "vigil"], in: folder,
        environment: ["VIGIL_DATABASE": database.url])
    }
    #expect(try await vigil("migrate").status == 0)
    let backfill = try await vigil("backfill", "--from", "2026-05-01", "--to", "2026-05-30")
    #expect(backfill.status == 0, "\(backfill.errors)")
    let taken = try session.rows(
      """
      SELECT DISTINCT total_doses, taken_doses FROM vigil.dose_analytics
      WHERE period_start = '2026-05-01' AND period_end = '2026-05-30'
      """)
    #expect(taken.values == [["30", "30"]])

    try session.execute("UPDATE med SET end_date = '-infinity'")
    let refused = try await vigil(
      "backfill", "--from", "2026-05-01", "--to", "2026-05-30", "--max-bad-rows", "100%")
    #expect(refused.status == 0, "\(refused.errors)")
    let reasons = try session.rows(
      "SELECT column_name, reason FROM vigil.quarantined_rows WHERE table_name = 'medications'")
    #expect(reasons.values == [["end_date", "impossible_end_date"]])
  }
}
