import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct DailyFileImportTests {
  let folder: TemporaryFolder
  let recorder = InputRecorder()
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system,
      maxBadRowFraction: 1)
  }

  private func request(
    user: String? = nil, source: String? = nil, map: [String] = [], dates: DateForm? = nil
  ) throws -> DailyFileRequest {
    DailyFileRequest(
      user: user, source: source, columns: try map.map { try ColumnAssignment($0) }, dates: dates)
  }

  private func open(_ text: String, _ request: DailyFileRequest) throws -> DailyFileImport {
    try DailyFileImport(
      path: try folder.write(text, to: "daily.csv"), request: request, options: options)
  }

  /// The rows that were written, as `person date source metric=value ...`.
  private func rows(_ text: String, _ request: DailyFileRequest) throws -> [String] {
    let recorder = InputRecorder()
    _ = try open(text, request).load(into: recorder)
    return texts(recorder)
  }

  private func texts(_ recorder: InputRecorder) -> [String] {
    let names = Dictionary(
      recorder.ensuredUsers.map { ($0.key, $0.value ?? $0.key.lowercased) },
      uniquingKeysWith: { $1 })
    return (recorder.rows["wearable_daily_metrics"] ?? []).map { row in
      guard case .uuid(let id) = row["user_id"], case .day(let day) = row["metric_date"],
        case .text(let source) = row["source"]
      else { return "no key" }
      let metrics = InputTable.wearableMetrics.compactMap { metric -> String? in
        guard case .real(let number) = row[metric.rawValue] else { return nil }
        return "\(metric.rawValue)=\(number)"
      }
      return ([names[id] ?? "?", "\(day)", source] + metrics).joined(separator: " ")
    }
  }

  @Test func readsTheTablesOwnColumns() throws {
    #expect(
      try rows(
        "user_id,metric_date,source,steps,hrv_ms\nanna,2026-06-01,ring,8000,41.5\nben,2026-06-01,ring,,\n",
        request()) == ["anna 2026-06-01 ring steps=8000.0 hrv_ms=41.5", "ben 2026-06-01 ring"])
  }

  @Test func readsASpreadsheetOfAnotherCountry() throws {
    let text = """
      Datum;Schritte;Schlaf (h);Resting HR;Notiz
      01.06.2026;8.240;7,5;58;"gut; ""sehr"" wohl"
      14.06.2026;12.003;6,25;--;

      """
    let request = try request(
      user: "anna", source: "watch",
      map: ["Datum=metric_date", "Schritte=steps", "Schlaf (h)=sleep_minutes:hours"])
    let file = try open(text, request)
    let summary = try file.load(into: recorder)
    #expect(
      texts(recorder) == [
        "anna 2026-06-01 watch steps=8240.0 sleep_minutes=450.0 resting_hr=58.0",
        "anna 2026-06-14 watch steps=12003.0 sleep_minutes=375.0",
      ])
    #expect(summary.tables.map(\.rowsWritten) == [2])
    #expect(summary.tables.map(\.file) == ["daily.csv"])
    #expect(
      file.interpretation
        == FileInterpretation(
          file: "daily.csv", form: ["2 rows", "semicolons", "decimal comma", "dates D/M/YYYY"],
          columns: [
            .init(name: "(all rows)", meaning: "user_id anna"),
            .init(name: "(all rows)", meaning: "source watch"),
            .init(name: "Datum", meaning: "metric_date"),
            .init(name: "Schritte", meaning: "steps, count"),
            .init(name: "Schlaf (h)", meaning: "sleep_minutes, from hours"),
            .init(name: "Resting HR", meaning: "resting_hr, bpm"),
          ], ignored: ["Notiz"]))
  }

  @Test func readsTabsAndMonthsFirst() throws {
    #expect(
      try rows(
        "Date\tSteps\n6/1/2026\t\"1,200\"\n6/13/2026\t900\n6/14/2026\t7.5\n",
        request(user: "anna", source: "x")) == [
          "anna 2026-06-01 x steps=1200.0", "anna 2026-06-13 x steps=900.0",
          "anna 2026-06-14 x steps=7.5",
        ])
  }

  @Test func readsTheLongFormat() throws {
    let text = """
      person,date,metric,value
      anna,2026-06-01,steps,8000
      anna,2026-06-01,Sleep,7.5
      anna,2026-06-01,mood,4
      ben,2026-06-01,resting_hr,
      ben,2026-06-01,steps,many

      """
    let file = try open(text, request(source: "ring", map: ["Sleep=sleep_minutes:hours"]))
    let summary = try file.load(into: recorder)
    #expect(
      texts(recorder) == [
        "anna 2026-06-01 ring steps=8000.0", "anna 2026-06-01 ring sleep_minutes=450.0",
      ])
    let table = try #require(summary.tables.first)
    #expect(summary.tables.count == 1)
    #expect(table.rowsRead == 5)
    #expect(table.rowsWritten == 2)
    #expect(table.rowsMerged == 2)
    #expect(summary.firstProblems == ["daily.csv:6: value: not a number"])
    #expect(file.interpretation.ignored == ["mood (1 row)"])
    #expect(
      file.interpretation.columns.suffix(3).map { "\($0.name): \($0.meaning)" } == [
        "Sleep: sleep_minutes, from hours (1 row)", "resting_hr: resting_hr, bpm (1 row)",
        "steps: steps, count (2 rows)",
      ])
  }

  @Test func addsUpColumnsOfOneMetric() throws {
    let map = ["Fair=movement_minutes", "Hard=movement_minutes:hours"]
    #expect(
      try rows(
        "Date,Fair,Hard\n2026-06-01,10,0.5\n2026-06-02,10,\n",
        request(user: "anna", source: "x", map: map)) == [
          "anna 2026-06-01 x movement_minutes=40.0", "anna 2026-06-02 x",
        ])
  }

  @Test func aGivenMeaningComesBeforeThatOfTheName() throws {
    let map = ["Total=steps", "device="]
    #expect(
      try rows(
        "date,steps,Total,device\n2026-06-01,1,2,band\n",
        request(user: "anna", source: "x", map: map)) == ["anna 2026-06-01 x steps=2.0"])
  }

  @Test(arguments: [
    ("date,steps\n2026-06-01,1\n", [], ["no column has the person", "no column has the source"]),
    ("day,mood,source,user\n", [], ["no column has a metric"]),
    ("steps,source,user\n", [], ["no column has the date"]),
    ("date,day,steps,source,user\n", [], ["'date' and 'day' both are metric_date"]),
    ("date,steps,Steps,source,user\n", [], ["'steps' and 'Steps' both are steps"]),
    (
      "date,steps,source,user\n", ["Slep=sleep_minutes", "Step=steps"],
      [
        "column 'Slep' is not there",
        "column 'Step' is not there; did you mean 'steps'?",
      ]
    ),
    ("metric,value,date,person,source\nmood,1,2026-06-01,a,b\n", [], ["no row of column 'metric'"]),
    (
      "metric,value,date,person,source\nsteps,1,2026-06-01,a,b\n", ["Puls=resting_hr"],
      ["'Puls' is neither a column nor a word in column 'metric'"]
    ),
    ("anna,2026-06-01,8000\n", [], ["the first line names no column of daily metrics"]),
    ("", [], ["is empty"]),
  ])
  func namesEverythingThatIsMissing(text: String, map: [String], mentions: [String]) throws {
    let error = try #require(throws: ImportError.self) { try open(text, request(map: map)) }
    #expect(error.code == .badData)
    for mention in mentions { #expect(error.description.contains(mention), "\(error)") }
    #expect(!error.description.contains("2026"))
  }

  @Test func refusesAPersonFromTwoPlaces() throws {
    let error = try #require(throws: ImportError.self) {
      try open("user,date,steps\n", request(user: "anna", source: "x"))
    }
    #expect(error.problems.count == 1)
    #expect(error.problems[0].contains("leave that out"))
  }

  @Test(arguments: [
    "steps", "=steps", "A=step", "A=steps:hours", "A=source:hours", "A=sleep_minutes:",
  ])
  func refusesMappingsWithoutMeaning(text: String) throws {
    let error = try #require(throws: ImportError.self) { try ColumnAssignment(text) }
    #expect(error.code == .usage)
  }

  @Test func namesFileRowAndColumnOfWhatItCannotRead() throws {
    let text = """
      Date,Steps,HRV
      2026-06-01,1,2
      2026-06-02,x,2
      2026-02-30,1,2
      ,1,2
      2027-01-01,1,2
      2026-06-03,1
      2026-06-04,-1,2
      2026-06-01,5,2

      """
    let summary = try open(text, request(user: "anna", source: "x", map: ["HRV=hrv_ms"]))
      .load(into: recorder)
    #expect(
      summary.firstProblems == [
        "daily.csv:3: Steps: not a number", "daily.csv:4: Date: not a date (YYYY-MM-DD)",
        "daily.csv:5: Date: missing", "daily.csv:6: Date: date in the future",
        "daily.csv:7: 2 fields where the header has 3", "daily.csv:8: Steps: negative",
        "daily.csv:9: duplicate key (user_id, metric_date, source) with other values",
      ])
    #expect(texts(recorder) == ["anna 2026-06-01 x steps=1.0 hrv_ms=2.0"])
  }

  @Test func aGivenFormOfDatesRefusesOthers() throws {
    let summary = try open(
      "date,steps\n1/6/2026,1\n6/13/2026,1\n", request(user: "a", source: "x", dates: .dmy)
    ).load(into: recorder)
    #expect(summary.firstProblems == ["daily.csv:3: date: not a date (D/M/YYYY)"])
    #expect(texts(recorder) == ["a 2026-06-01 x steps=1.0"])
  }

  @Test func readsWhatComesThroughAPipe() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let text = "date,steps\n2026-06-01,1\n"
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    close(ends[1])
    let bytes = try FileBytes.standardInput(ends[0], shouldStop: { false }, didRead: { _ in })
    close(ends[0])
    let file = try DailyFileImport(
      bytes, request: request(user: "a", source: "x"), options: options)
    _ = try file.load(into: recorder)
    #expect(texts(recorder) == ["a 2026-06-01 x steps=1.0"])
    #expect(file.interpretation.file == "standard input")
  }

  @Test func stopsInTheFirstReadingToo() throws {
    var options = options
    options.shouldStop = { true }
    let rows = (0..<5000).map { "p\($0),2026-06-01,x,1\n" }.joined()
    let path = try folder.write("user,date,source,steps\n\(rows)", to: "daily.csv")
    let error = try #require(throws: ImportError.self) {
      try DailyFileImport(path: path, request: request(), options: options)
    }
    #expect(error.code == .interrupted)
  }

  @Test(
    arguments: [
      ("a,b,c;d\n", ","), ("a;b,c;d\n", ";"), ("a\tb,c\n", "\t"), ("\"a;b;c\",d\n", ","),
      ("a\n;;;", ","), ("a;b,c\n", ";"),
    ] as [(String, Character)])
  func findsTheDelimiterInTheFirstLine(text: String, delimiter: Character) throws {
    let found = Array(text.utf8).withUnsafeBufferPointer { CSVReader.likeliestDelimiter(in: $0) }
    #expect(found == delimiter.asciiValue)
  }
}
