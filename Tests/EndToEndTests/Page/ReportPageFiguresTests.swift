import Foundation
import ReferenceKernels
import TestDatabases
import TestSupport
import Testing
import VigilModel

/// Every figure of a page, computed a second time from the rows of the database.
@Suite struct ReportPageFiguresTests {
  @Test(arguments: DatabaseKind.allCases)
  func figuresAreThoseOfTheRows(kind: DatabaseKind) async throws {
    let folder = try SamplePage.evaluated(kind)
    let page = try await SamplePage.page(in: folder)
    let rows = PageRows(database: folder.database, first: SamplePage.first, last: SamplePage.last)
    let persons = page.persons
    try #require(!persons.isEmpty)
    var figures = FigureCount()
    for (name, section) in persons {
      let user = try #require(
        try folder.database.rows("SELECT id FROM users WHERE external_id = '\(name)'").first)
      try expectSentences(section, of: user, rows, &figures)
      try expectStrips(section, of: user, rows, &figures)
      try expectAxis(section, of: user, rows, &figures)
      try await expectEvidence(section, of: user, in: folder, &figures)
      try expectStates(section, of: user, rows, &figures)
      try expectScores(section, of: user, rows, &figures)
      try expectDoses(section, of: user, rows, &figures)
    }
    try expectTotals(page, folder.database)
    try expectRuns(page, folder.database)
    // No part of the test is empty.
    #expect(figures.combined > 0 && figures.axis > 10 && figures.shifts > 0, "\(figures)")
    #expect(figures.sentences > 3, "\(figures)")
    #expect(figures.evidence > 0, "\(figures)")
    #expect(figures.scores > 5 && figures.lanes > 0, "\(figures)")
  }

  private struct FigureCount {
    var sentences = 0, combined = 0, axis = 0, shifts = 0, evidence = 0, scores = 0, lanes = 0
  }

  // MARK: Sentences

  /// The sentence of each metric with an alert: its mean of now, the usual one, the first day and the days.
  private func expectSentences(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let alerts = try rows.alerts(of: user).filter { $0.resolvedOn == nil }
    let own = Set(alerts.map(\.metric))
    for alert in alerts where alert.metric != "dose_adherence_pct" {
      let metrics =
        alert.metric == "combined"
        ? alert.contributing.filter { !own.contains($0.metric) }.map { ($0.metric, $0.baseline) }
        : [(alert.metric, alert.baseline)]
      let last = try #require(Day(SamplePage.last))
      let since = try #require(Day(alert.activeSince))
      for (metric, usual) in metrics {
        let deviating = since + (alert.days - 1)
        let isGoing = deviating == last
        let first = isGoing ? max(since, last - 13) : deviating + 1
        let values = try rows.values(of: metric, of: user)
        let known = (first...last).compactMap { values["\($0)"] }
        guard !known.isEmpty else { continue }
        let mean = known.reduce(0, +) / Double(known.count)
        let (words, unit) = try #require(SamplePage.metrics[metric])
        let per =
          unit == "min"
          ? (words == "movement" ? " a day" : " a night") : unit == "steps" ? " a day" : ""
        let newest = isGoing ? last : (first...last).last { values["\($0)"] != nil } ?? last
        let window =
          newest == first
          ? "on \(SamplePage.longDate(first))"
          : newest == last
            ? "in the last \(last - first + 1) days"
            : "from \(SamplePage.longDate(first)) to \(SamplePage.longDate(newest))"
        let title = words.prefix(1).uppercased() + words.dropFirst()
        let begin =
          "\(title): \(SamplePage.text(mean, unit))\(per) \(window),"
          + " usually \(SamplePage.textBeside(usual, unit));"
        let end =
          isGoing
          ? "since \(SamplePage.longDate(since)) (\(alert.days) days)."
          : "from \(SamplePage.longDate(since)) to \(SamplePage.longDate(deviating)) (\(alert.days) days)."
        let found = section.sentences.first { $0.hasPrefix(begin) }
        #expect(found?.contains(end) == true, "\(begin) … \(end) in \(section.sentences)")
        figures.sentences += 1
      }
    }
  }

  // MARK: Strips

  /// One figure for each event; of several metrics together the means of each.
  private func expectStrips(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let alerts = try rows.alerts(of: user).filter {
      $0.resolvedOn == nil && ($0.metric == "combined" || SamplePage.metrics[$0.metric] != nil)
    }
    let strips = section.descriptions(of: "spreads")
    #expect(strips.count == Set(alerts.map(\.event)).count, "\(user)")
    for (_, event) in Dictionary(grouping: alerts, by: \.event) {
      for alert in event where alert.metric == "combined" {
        let strip = try #require(
          strips.first { strip in
            alert.contributing.allSatisfy { strip.contains(SamplePage.words($0.metric)) }
          })
        for metric in alert.contributing {
          let values = try rows.values(of: metric.metric, of: user)
          let (words, _) = try #require(SamplePage.metrics[metric.metric])
          // The figures stand beside the charts above: those of the opening of another alert are of other days.
          let shown = "\(words): "
          #expect(strip.contains(shown), "\(shown) in \(strip)")
          let known = values.filter { $0.key >= SamplePage.first && $0.key <= SamplePage.last }
          let mean = try #require(
            rows.mean(of: values, endingOn: SamplePage.last) { metric.shift($0, $1) })
          let side = mean < 0 ? "better" : "worse"
          let expected =
            shown + "\(known.count) of 30 days have a value; the latest mean of 7 days is"
            + " \(String(format: "%.1f", abs(mean))) personal spreads \(side) than usual."
          #expect(strip.contains(expected), "\(expected) in \(strip)")
          figures.combined += 1
        }
        #expect(strip.contains("An alert since \(SamplePage.date(alert.activeSince)), at level"))
      }
    }
  }

  // MARK: All metrics

  private func expectAxis(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let axis = try #require(section.descriptions(of: "axis").first)
    for (metric, (words, unit)) in SamplePage.metrics {
      let values = try rows.values(of: metric, of: user)
      guard values.contains(where: { $0.key >= SamplePage.first && $0.key <= SamplePage.last })
      else {
        continue
      }
      let week = values.filter { $0.key > SamplePage.beforeLastWeek && $0.key <= SamplePage.last }
      guard week.count >= 4 else {
        #expect(axis.contains("\(words): not known (too few values)."), "\(axis)")
        continue
      }
      let recent = week.values.reduce(0, +) / Double(week.count)
      let shown = "(\(SamplePage.text(recent, unit)), usual "
      #expect(axis.contains(shown), "\(words) \(shown) in \(axis)")
      figures.axis += 1
      // The distance, of metrics that no alert has ever touched: from the baseline of the slow twin.
      guard try !rows.hasHadAlert(of: metric, user), try rows.hasOneDevice(user),
        let twin = ReferenceEvidence.Metric.v3.first(where: { $0.name == metric })
      else { continue }
      let sorted = values.filter { $0.key <= SamplePage.last }.sorted { $0.key < $1.key }
        .map { (day: Int(Day($0.key)?.ordinal ?? 0), value: $0.value) }
      guard let newest = sorted.last?.day, sorted.count > 60 else { continue }
      let eligible = sorted.filter { $0.day >= newest - 200 }
      let pool = eligible.dropLast(max(3, min(eligible.count / 3, 28))).suffix(120)
      let baseline = ReferenceEvidence(metric: twin).baseline(of: Array(pool))
      let sign: Double = metric == "resting_hr" ? 1 : -1
      let shifts = week.map { key, value in
        let usual =
          baseline.mean
          + baseline.weekday[ReferenceEvidence.weekday(Int(Day(key)?.ordinal ?? 0))]
        let u = (twin.transform.applied(to: value) - usual) / baseline.spread
        return sign * min(3, max(-3, u))
      }
      let shift = shifts.reduce(0, +) / Double(shifts.count)
      var text = String(format: "%+.1f", shift)
      if text == "+0.0" || text == "-0.0" { text = "0.0" }
      let expected = "\(words): \(text) \(shown)\(SamplePage.textBeside(baseline.value, unit))"
      #expect(axis.contains(expected), "\(expected) in \(axis)")
      figures.shifts += 1
    }
  }

  /// The evidence beside a metric is that of the windows that are explained.
  private func expectEvidence(
    _ section: PageTexts, of user: String, in folder: TemporaryFolder, _ figures: inout FigureCount
  ) async throws {
    let axis = try #require(section.descriptions(of: "axis").first)
    for metric in ["steps", "hrv_ms"] {
      let run = try await CommandRun.vigil(
        "explain", "--user", user, "--metric", metric, "--date", SamplePage.last, "--format",
        "json",
        in: folder)
      let found = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      guard let evidence = found["evidence"] as? [String: Any],
        let windows = evidence["windows"] as? [[String: Any]],
        let most = windows.compactMap({ $0["z"] as? Double }).max(),
        let threshold = evidence["threshold"] as? Double
      else { continue }
      let shown = String(format: "; z %.2f of %.2f)", most, threshold)
      let own = try #require(
        axis.components(separatedBy: ". ").first { $0.hasPrefix("\(SamplePage.words(metric)): ") })
      #expect(own.contains(shown), "\(shown) in \(own)")
      figures.evidence += 1
    }
  }

  // MARK: States

  private func expectStates(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let states = try #require(section.descriptions(of: "states").first)
    let alerts = try rows.alerts(of: user)
    for (metric, (words, _)) in SamplePage.metrics where states.contains("\(words): ") {
      let own = alerts.filter { alert in
        alert.metric == metric || alert.contributing.contains { $0.metric == metric }
      }
      let days = rows.days.count { day in
        own.contains { $0.openedOn <= day && ($0.resolvedOn ?? "9999") > day }
      }
      let expected = days == 0 ? "\(words): no alert." : "\(words): \(days) of 30 days in an alert."
      #expect(states.contains(expected), "\(expected) in \(states)")
    }
  }

  // MARK: Scores and doses

  private func expectScores(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let shown = section.descriptions(of: "score").first
    for (part, column) in [
      ("total", "total_score"), ("sleep", "sleep_score"), ("movement", "movement_score"),
      ("stress", "stress_score"),
    ] {
      let values = try rows.scores(column, of: user)
      let known = values.filter { $0.key >= SamplePage.first }
      guard !known.isEmpty else { continue }
      let strip = try #require(shown)
      let mean = rows.mean(of: values, endingOn: SamplePage.last) { value, _ in value }
      let expected =
        "\(known.count) of 30 days have a value"
        + (mean.map { "; the latest mean of 7 days is \(SamplePage.text($0)) points." } ?? ".")
      let pattern = try Regex(
        "(^|\\. )\(part)(, [^:]*)?: \(NSRegularExpression.escapedPattern(for: expected))")
      #expect(strip.contains(pattern), "\(part): \(expected) in \(strip)")
      figures.scores += 1
    }
  }

  /// The page shows the 30 days that the rows of `dose_analytics` are about.
  private func expectDoses(
    _ section: PageTexts, of user: String, _ rows: PageRows, _ figures: inout FigureCount
  ) throws {
    let analytics = try rows.database.rows(
      """
      SELECT medication_id, taken_doses, total_doses, missed_doses, skipped_doses, late_doses,
        early_doses, extra_doses + as_needed_doses, pending_doses, days_expected, adherence_rate,
        days_covered
      FROM dose_analytics WHERE user_id = '\(user)' AND period_kind = '30_days'
        AND period_end = '\(SamplePage.last)' ORDER BY medication_id
      """
    ).map(SamplePage.cells)
    let lanes = section.descriptions(of: "lanes").first
    let table = section.rows(under: "Medication")
    for row in analytics where !row[0].isEmpty {
      let name = "Medication \(row[0].prefix(8))"
      let rate = row[10].isEmpty ? "–" : "\(SamplePage.text(100 * (Double(row[10]) ?? 0))) %"
      #expect(table[name] == [row[1], row[2], rate], "\(row)")
      guard row[1...8].contains(where: { $0 != "0" }) else { continue }
      let shifted = [(row[5], "late"), (row[6], "early")].filter { $0.0 != "0" }
        .map { "\($0.0) of them \($0.1)" }
      let others = [
        (row[3], "missed"), (row[4], "skipped"), (row[7], "extra or as needed"),
        (row[8], "not yet due"),
      ].filter { $0.0 != "0" }.map { "; \($0.0) \($0.1)" }.joined()
      let taken = (["\(row[1]) of \(row[2]) doses taken"] + shifted).joined(separator: ", ")
      let expected = "\(name): \(taken)\(others)."
      #expect(lanes?.contains(expected) == true, "\(expected) in \(lanes ?? "")")
      figures.lanes += 1
    }
    guard let total = analytics.first(where: { $0[0].isEmpty }), total[9] != "0" else { return }
    let calendar = try #require(section.descriptions(of: "doses").first)
    #expect(
      calendar.contains("\(total[11]) of \(total[9]) days with expected doses"), "\(calendar)")
  }

  // MARK: The run

  private func expectTotals(_ page: PageTexts, _ database: TestDatabase) throws {
    // A person counts once for a metric, by the highest level; an alert of several metrics is one of each.
    var highest: [String: [String: Int]] = [:]
    let alerts = try database.result(
      of: """
        SELECT metric_type, current_level, anchor, user_id FROM pattern_alert_state
        WHERE episode_status = 'active'
        """)
    for alert in alerts.rows {
      let level = try #require(["3", "7", "14", "21"].firstIndex(of: alert[1]))
      for name in try metrics(of: alert[0] ?? "", anchor: alert[2]) {
        let person = alert[3] ?? ""
        highest[name, default: [:]][person] = max(level, highest[name]?[person] ?? 0)
      }
    }
    let counts = highest.mapValues { people in
      (0..<4).map { level in people.values.count { $0 == level } }
    }
    let rows = page.rows(under: "Metric")
    #expect(Set(rows.keys) == Set(counts.keys))
    for (name, levels) in counts {
      #expect(rows[name]?.prefix(4).map { Int($0) ?? 0 } == levels, "\(name)")
    }
  }

  private func metrics(of metric: String, anchor: String?) throws -> [String] {
    guard metric == "combined" else { return [SamplePage.words(metric)] }
    let document = try JSONSerialization.jsonObject(with: Data((anchor ?? "").utf8))
    let parts = try #require((document as? [String: Any])?["contributing"] as? [[String: Any]])
    return try parts.map { SamplePage.words(try #require($0["metric"] as? String)) }
  }

  private func expectRuns(_ page: PageTexts, _ database: TestDatabase) throws {
    let runs = try database.rows(
      """
      SELECT persons, series, rows_read, values_rejected, episodes_opened, episodes_escalated,
        episodes_resolved, notifications_enqueued FROM batch_runs ORDER BY to_date DESC
      """
    ).map { SamplePage.cells($0).map { SamplePage.text(Double($0) ?? -1) } }
    try #require(runs.count == 2)
    let changes = page.rows(under: "Compared with the run before")
    for (index, name) in [
      "People", "Series", "Rows read", "Values rejected", "Episodes opened", "Episodes escalated",
      "Episodes resolved", "Notifications",
    ].enumerated() {
      #expect(changes[name] == [runs[0][index], runs[1][index]], "\(name)")
    }
    #expect(page.pairs["People"] == "\(runs[0][0]) with \(runs[0][1]) series")
    #expect(
      page.pairs["Episodes"]
        == "\(runs[0][4]) opened, \(runs[0][5]) escalated, \(runs[0][6]) resolved")
    #expect(page.pairs["Evaluated"] == "11 June 2026, profile v3-strict, shadow: nothing is sent")
    #expect(page.pairs["Notifications"]?.hasPrefix("\(runs[0][7]) planned") == true)
  }
}
