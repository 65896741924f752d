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

  @Test(
    "a time in UTC says no local date, unless other rows have an offset",
    arguments: ["+00:00", "+0000", "Z", " UTC"])
  func timesInUTC(offset: String) throws {
    let recorder = InputRecorder()
    let text = "Date,Steps\n2026-06-01 23:30:00\(offset),8000\n2026-06-02 23:30:00\(offset),7000\n"
    let summary = try open(text, request(user: "anna", source: "x")).load(into: recorder)
    #expect(recorder.rows["wearable_daily_metrics"] == nil)
    #expect(
      summary.firstProblems.first
        == "daily.csv:2: Date: a time in UTC, whose date can be another one where the person lives; write local dates"
    )
  }

  @Test func anOffsetOfZeroIsAClockAmongOthers() throws {
    #expect(
      try rows(
        "Date,Steps\n2026-03-01 23:30:00+00:00,8000\n2026-06-02 23:30:00+01:00,7000\n",
        request(user: "anna", source: "x")) == [
          "anna 2026-03-01 x steps=8000.0", "anna 2026-06-02 x steps=7000.0",
        ])
  }

  @Test func readsNamesOfMonthsAndUnitsBehindNumbers() throws {
    let text = """
      Date,Resting HR,Sleep,Steps,SpO2
      "Jun 1, 2026",58 bpm,7h 40min,"8,240 steps",97 %
      "Jun 2, 2026",57bpm,7h 5min,"7,911",96%

      """
    let request = try request(
      user: "anna", source: "x",
      map: [
        "Resting HR=resting_hr", "Sleep=sleep_minutes:clock", "SpO2=spo2_avg_pct",
      ])
    #expect(
      try rows(text, request) == [
        "anna 2026-06-01 x steps=8240.0 sleep_minutes=460.0 resting_hr=58.0 spo2_avg_pct=97.0",
        "anna 2026-06-02 x steps=7911.0 sleep_minutes=425.0 resting_hr=57.0 spo2_avg_pct=96.0",
      ])
    #expect(try open(text, request).interpretation.form.last == "dates with names of months")
  }

  @Test(arguments: ["7h 40min", "7 Std. 40 Min.", "7 horas 40 minutos", "7:40", "PT7H40M"])
  func readsDurationsInWords(text: String) throws {
    #expect(
      try rows(
        "Date,Sleep\n2026-06-01,\(text)\n",
        request(user: "anna", source: "x", map: ["Sleep=sleep_minutes:clock"])) == [
          "anna 2026-06-01 x sleep_minutes=460.0"
        ])
  }

  @Test(arguments: [
    ("sleep_minutes", "7.5 h", "not in minutes"),
    ("sleep_minutes:hours", "450 min", "not in hours"),
    ("spo2_avg_pct", "0.97", "at most 1 %, as a fraction is; give the column the unit fraction"),
    ("resting_hr", "58 apples", "not a number"), ("spo2_avg_pct", "970", "above 100 %"),
    ("spo2_avg_pct:fraction", "9.7", "above 100 %"),
    ("sleep_minutes:clock", "7h 75min", "not a duration (H:MM)"),
    ("sleep_minutes:clock", "5min 7h", "not a duration (H:MM)"),
  ])
  func refusesAnotherUnit(target: String, value: String, reason: String) throws {
    let summary = try open(
      "Date,Value of it\n2026-06-01,\(value)\n",
      request(user: "anna", source: "x", map: ["Value of it=\(target)"])
    ).load(into: recorder)
    #expect(summary.firstProblems == ["daily.csv:2: Value of it: \(reason)"])
  }

  @Test func wordsOfMissingValuesAreMissing() throws {
    #expect(
      try rows(
        "Date,Steps\n"
          + ["NaN", "NULL", "None", "nan", "n/a", "--", "", "<NA>", "#N/A"].enumerated()
          .map { "2026-06-0\($0.offset + 1),\($0.element)\n" }.joined(),
        request(user: "anna", source: "x")) == (1...9).map { "anna 2026-06-0\($0) x" })
  }

  @Test func blanksAroundFieldsAreNoPartOfThem() throws {
    #expect(
      try rows(
        "Date , Steps, \"Source\"\n 2026-06-01 ,8120 , \"a ring\" \n2026-06-02, 7904,x\n",
        request(user: "anna"))
        == ["anna 2026-06-01 a ring steps=8120.0", "anna 2026-06-02 x steps=7904.0"])
  }

  @Test func linesBeforeTheHeaderAreSkippedAndTheirNumberCounts() throws {
    var request = try request(
      user: "anna", source: "x", map: ["day_time=metric_date", "step_count=steps"])
    let text =
      "com.device.day_summary,7006003,6\nstep_count,day_time\n2803,2026-06-01 00:00:00.000,\nno,2026-06-02,\n"
    #expect(throws: ImportError.self) { try open(text, request) }
    request.skippedLines = 1
    let recorder = InputRecorder()
    let summary = try open(text, request).load(into: recorder)
    #expect(texts(recorder) == ["anna 2026-06-01 x steps=2803.0"])
    #expect(summary.firstProblems == ["daily.csv:4: step_count: not a number"])
    request.skippedLines = 9
    let error = try #require(throws: ImportError.self) { try open(text, request) }
    #expect(error.message.contains("is empty"))
  }

  @Test func readsUTF16() throws {
    let text = "Date\tSteps\n2026-06-01\t8120\n2026-06-02\t7904\n"
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
      let mark: [UInt8] = encoding == .utf16LittleEndian ? [0xFF, 0xFE] : [0xFE, 0xFF]
      let path = try folder.write(
        Data(mark) + (text.data(using: encoding) ?? Data()), to: "wide.csv")
      let recorder = InputRecorder()
      _ = try DailyFileImport(
        path: path, request: request(user: "anna", source: "x"), options: options
      ).load(into: recorder)
      #expect(
        texts(recorder) == ["anna 2026-06-01 x steps=8120.0", "anna 2026-06-02 x steps=7904.0"])
    }
  }

  private static let naps = """
    Date,Sleep minutes,Resting HR,Steps
    2026-06-02,61,70,100
    2026-06-02,421,52,
    2026-06-01,420,51,5000

    """

  @Test(arguments: [
    (SameDayRule.sum, "sleep_minutes=482.0 resting_hr=52.0", "steps=100.0 "),
    (.longest, "sleep_minutes=421.0 resting_hr=52.0", ""),
    (.last, "sleep_minutes=421.0 resting_hr=52.0", ""),
    (.max, "sleep_minutes=421.0 resting_hr=70.0", "steps=100.0 "),
  ])
  func severalRowsOfADayHaveARule(rule: SameDayRule, sleep: String, steps: String) throws {
    var request = try request(user: "anna", source: "x")
    request.sameDay = rule
    let recorder = InputRecorder()
    let summary = try open(Self.naps, request).load(into: recorder)
    #expect(
      texts(recorder) == [
        "anna 2026-06-02 x \(steps)\(sleep)",
        "anna 2026-06-01 x steps=5000.0 sleep_minutes=420.0 resting_hr=51.0",
      ])
    let table = try #require(summary.tables.first)
    #expect((table.rowsRead, table.rowsWritten, table.rowsMerged) == (3, 2, 1))
  }

  @Test func theRuleHoldsForTheLongFormatToo() throws {
    var request = try request(user: "anna", source: "x")
    let text = """
      date,metric,value
      2026-06-02,sleep_minutes,61
      2026-06-02,resting_hr,52
      2026-06-02,sleep_minutes,421

      """
    for (rule, sleep) in [(SameDayRule.sum, 482.0), (.longest, 421), (.last, 421), (.max, 421)] {
      request.sameDay = rule
      let recorder = InputRecorder()
      let summary = try open(text, request).load(into: recorder)
      let rows = recorder.rows["wearable_daily_metrics"] ?? []
      #expect(rows.compactMap { $0["sleep_minutes"] } == [.real(sleep)])
      #expect(rows.compactMap { $0["resting_hr"] } == [.real(52)])
      let table = try #require(summary.tables.first)
      #expect((table.rowsRead, table.rowsWritten, table.rowsMerged) == (3, 2, 1))
    }
  }

  @Test func withoutARuleTheErrorAsksForOne() throws {
    var strict = options
    strict.maxBadRowFraction = 0.01
    let file = try DailyFileImport(
      path: folder.write(Self.naps, to: "naps.csv"), request: request(user: "anna", source: "x"),
      options: strict)
    let error = try #require(throws: ImportError.self) { try file.load(into: recorder) }
    #expect(error.remedy == .chooseRowsOfDay)
  }

  @Test func datesBeforeWearablesAreNone() throws {
    let summary = try open(
      "Date,Steps\n0001-01-01,1\n1989-12-31,1\n1990-01-01,1\n", request(user: "anna", source: "x")
    ).load(into: recorder)
    #expect(
      summary.firstProblems
        == [2, 3].map { "daily.csv:\($0): Date: date before 1990-01-01" })
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
