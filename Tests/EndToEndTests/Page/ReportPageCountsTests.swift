import Foundation
import TestDatabases
import Testing
import VigilModel

/// The header, the figures below the charts and the doses of a page, each computed a second time from the rows of the
/// database.
@Suite struct ReportPageCountsTests {
  private static let last = SamplePage.last

  // MARK: Header

  @Test(arguments: DatabaseKind.allCases)
  func theHeaderCountsTheRows(kind: DatabaseKind) async throws {
    let folder = try SampleDatabase.imported(
      kind, then: [["backfill", "--from", "2026-03-03", "--to", Self.last, "--thresholds", "v3"]])
    let page = try await SamplePage.page(in: folder)
    let rows = PageRows(database: folder.database, first: SamplePage.first, last: Self.last)
    let last = try #require(Day(Self.last))
    var (changed, back, usual): ([String], [String], Int) = ([], [], 0)
    let users = try folder.database.rows(
      """
      SELECT DISTINCT user_id FROM wearable_daily_metrics
      WHERE metric_date BETWEEN '\(SamplePage.first)' AND '\(Self.last)'
      """)
    for user in users {
      let active = try rows.alerts(of: user).filter { $0.resolvedOn == nil }
      let deviates = try active.contains { alert in
        let deviating = try #require(Day(alert.activeSince)) + (alert.days - 1)
        let metrics =
          alert.metric == "combined" ? alert.contributing.map(\.metric) : [alert.metric]
        // A day with a value that did not deviate brings the person back; without one nothing is known.
        return try deviating == last
          || !metrics.contains { metric in
            try rows.values(of: metric, of: user).keys.contains {
              $0 > "\(deviating)" && $0 <= Self.last
            }
          }
      }
      let name = try rows.name(of: user)
      if active.isEmpty {
        usual += 1
      } else if deviates {
        changed.append(name)
      } else {
        back.append(name)
      }
    }
    #expect(
      page.html.contains(
        "<h1>\(changed.count + back.count) of \(users.count) people need attention.</h1>"))
    #expect(
      page.html.contains(
        "<p>\(changed.count) changed, \(back.count) getting back to normal, 0 no data,"
          + " \(usual) as usual."), "\(changed) \(back)")
    #expect(Set(page.names(under: "changed")) == Set(changed))
    #expect(Set(page.names(under: "back")) == Set(back))
    #expect(!changed.isEmpty && !back.isEmpty && usual > 0)
    for name in changed + back { try expectFigures(page, of: name, rows) }
  }

  /// The newest value, the figure of the opening and the day that was furthest from usual.
  private func expectFigures(_ page: PageTexts, of name: String, _ rows: PageRows) throws {
    let section = try #require(page.persons[name])
    let user = try #require(
      try rows.database.rows("SELECT id FROM users WHERE external_id = '\(name)'").first)
    let alerts = try rows.database.rows(
      """
      SELECT metric_type, active_since, consecutive_true_days, opened_on, baseline_value, recent_value,
        recent_start, recent_end
      FROM pattern_alert_state WHERE user_id = '\(user)' AND resolved_on IS NULL
        AND metric_type NOT IN ('combined', 'inactivity', 'dose_adherence_pct')
      """
    ).map(SamplePage.cells)
    for alert in alerts {
      let (words, unit) = try #require(SamplePage.metrics[alert[0]])
      let values = try rows.values(of: alert[0], of: user).filter { $0.key <= Self.last }
      func text(_ day: String) throws -> String {
        SamplePage.text(try #require(values[day]), unit)
      }
      func date(_ day: String) throws -> String { SamplePage.longDate(try #require(Day(day))) }
      let newest = try #require(values.keys.max())
      let since = try #require(Day(alert[1]))
      let (usual, opened) = (try #require(Double(alert[4])), try #require(Double(alert[5])))
      let end = since + (try #require(Int(alert[2])) - 1)
      let counted = values.filter { (alert[1]..."\(end)").contains($0.key) }
      let opening = values.filter { (alert[6]...alert[7]).contains($0.key) }
      let isRise = alert[0] == "resting_hr"
      let furthest = try #require(
        counted.max { left, right in
          let (a, b) = (left.value - usual, right.value - usual)
          return a == b ? left.key > right.key : isRise ? a < b : a > b
        })
      let expected =
        "Last value: \(try text(newest)) on \(try date(newest))."
        + " When the alert opened on \(try date(alert[3])): \(SamplePage.text(opened, unit)),"
        + " the mean of \(opening.count) days."
        + " Furthest from usual on \(try date(furthest.key)): \(try text(furthest.key))."
      #expect(
        section.figures.contains { $0.hasPrefix(expected) },
        "\(words): \(expected) in \(section.figures)")
    }
  }

  // MARK: Doses

  /// Two tablets a day, of which none is taken from 10 June on but one.
  @Test(arguments: DatabaseKind.allCases)
  func dosesAreThoseOfTheHistory(kind: DatabaseKind) async throws {
    let input = try ImportFolder(kind)
    let first = try #require(Day("2026-03-01"))
    let last = try #require(Day("2026-06-20"))
    let missed = try #require(Day("2026-06-10"))
    var history = [
      "id,medication_id,schedule_id,status,scheduled_time,actual_time,recorded_timezone"
    ]
    var taken: [Day: Int] = [:]
    for day in first...last {
      for (index, time) in ["08:00", "20:00"].enumerated() {
        let isTaken = day < missed && (day - first) % 9 != 4 || (day == missed + 3 && index == 0)
        taken[day, default: 0] += isTaken ? 1 : 0
        let at = isTaken ? "\(day)T\(time):00Z" : ""
        history.append(
          "d\(day)\(index),m1,s1,\(isTaken ? "taken" : "missed"),\(day)T\(time):00Z,\(at),UTC")
      }
    }
    try input.write(history.joined(separator: "\n"), to: "dose_history")
    try input.write(
      "id,user_id,name,dosage,form,start_date\nm1,anna,Secretol,10mg,pill,2026-03-01",
      to: "medications")
    try input.write(
      "id,medication_id,type,reference_timezone,start_date,time_based_times\n"
        + #"s1,m1,timeBased,UTC,2026-03-01,"[""08:00"",""20:00""]""#, to: "schedules")
    try input.write(
      (["user_id,metric_date,source,steps"]
        + (first...last).map { "anna,\($0),ring,\(7_000 + 31 * ($0 - first) % 400)" })
        .joined(separator: "\n"), to: "wearable_daily_metrics")
    try input.write("id\nanna", to: "users")
    for command in [
      ["migrate"], ["import", "csv", "in"],
      ["backfill", "--from", "2026-03-01", "--to", "\(last)", "--thresholds", "v3"],
      ["report", "--out", "page.html"],
    ] {
      let run = try await input.vigil(arguments: command)
      try #require(run.status == 0, "\(run.errors)")
    }
    let html = try String(
      contentsOf: input.folder.url.appending(path: "page.html"), encoding: .utf8)
    let section = try #require(PageTexts(html: html).persons["anna"])
    // Whole days backwards until there are ten doses.
    var (count, doses, day) = (0, 0, last)
    while doses < 10 {
      count += 2 - (taken[day] ?? 0)
      doses += 2
      day = day - 1
    }
    #expect(html.contains("Doses: \(count) of the last \(doses) missed, "), "\(section.doses)")
    #expect(html.contains("Not back yet."))
    let drawn = last - 59...last
    let all = drawn.reduce(0) { $0 + (taken[$1] ?? 0) }
    let lanes = try #require(section.descriptions(of: "lanes").first)
    #expect(lanes.contains(": \(all) of 120 doses taken; \(120 - all) missed."), "\(lanes)")
    let calendar = try #require(section.descriptions(of: "doses").first)
    #expect(
      calendar.contains("\(drawn.count { taken[$0] == 2 }) of 60 days with expected doses"),
      "\(calendar)")
    let month = (last - 29...last).reduce(0) { $0 + (taken[$1] ?? 0) }
    let table = section.rows(under: "Medication")
    #expect(
      table.values.contains {
        $0 == ["\(month)", "60", "\(SamplePage.text(Double(month) / 0.6)) %"]
      },
      "\(table)")
  }
}

extension PageTexts {
  /// The names of the list under a heading.
  fileprivate func names(under id: String) -> [String] {
    guard
      let list = html.components(separatedBy: "<h2 id=\"\(id)\">").dropFirst().first?
        .components(separatedBy: "</ol>").first
    else { return [] }
    return list.matches(of: /<a href="#[^"]*">([^<]*)<\/a>/).map { String($0.1) }
  }

  /// The further figures below the charts.
  fileprivate var figures: [String] {
    html.matches(of: /<\/svg><p class="quiet">([^<]*)<\/p>/).map { String($0.1) }
  }

  fileprivate var doses: [String] { html.matches(of: /Doses: [^<]*/).map { String($0.0) } }
}
