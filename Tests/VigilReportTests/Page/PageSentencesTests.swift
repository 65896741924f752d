import Foundation
import TestSupport
import Testing
import VigilCharts
import VigilDetection
import VigilModel
import VigilWords

@testable import VigilReport

/// The sentences and charts of the page, on each day of each person, beside the values themselves.
@Suite struct PageSentencesTests {
  private static let profiles = ["v1", "v2", "v3"]

  @Test(arguments: profiles)
  func theSample(profile: String) throws {
    try expectTrueSentences(
      of: SharedFolder.repository.appending(path: "datasets/sample/wearable_daily_metrics.csv"),
      by: profile)
  }

  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)),
    arguments: profiles)
  func lifeSnaps(profile: String) throws {
    try expectTrueSentences(
      of: #require(SharedFolder.url("datasets/lifesnaps/wearable_daily_metrics.csv")), by: profile)
  }

  private func expectTrueSentences(of file: URL, by profile: String) throws {
    let alerts = try PersonDayAlerts(MetricTable(file), by: profile)
    var said = Said()
    // Each profile has days of its own, so that fewer of them meet as much.
    let first = 6 + (Self.profiles.firstIndex(of: profile) ?? 0)
    let days = stride(
      from: alerts.table.days.lowerBound + first, through: alerts.table.days.upperBound,
      by: Repetitions.areLong ? 1 : 3)
    for (number, day) in days.enumerated() {
      for found in alerts.lines(on: day) {
        expectTrue(found, in: alerts, &said)
        if number % 3 == 0 { expectChart(found, in: alerts, &said) }
      }
    }
    // No part of the test is empty.
    #expect(said.lower > 30 && said.over > 5, "\(said)")
    // Under v3 an alert of the sample ends on the day on which it eases.
    #expect(said.easing + said.resting > 0 || profile == "v3", "\(said)")
    #expect(said.calm > 3, "\(said)")
    #expect(said.charts > 3 && (said.higher > 0 || profile == "v3"), "\(said)")
  }

  private struct Said {
    var lower = 0, higher = 0, calm = 0, easing = 0, resting = 0, silent = 0, over = 0, charts = 0
  }

  // MARK: Sentences

  private func expectTrue(
    _ found: PersonDayAlerts.PersonLine, in alerts: PersonDayAlerts, _ said: inout Said
  ) {
    let (line, words) = (found.line, PageWords.english)
    let (episode, today, metric) = (line.alert.episode, line.day, line.metric)
    let sentence = line.sentence(words)
    func values(_ days: ClosedRange<Day>) -> [Double] {
      guard days.overlaps(found.days.days) else { return [] }
      return days.clamped(to: found.days.days)
        .compactMap { alerts.value(of: metric, found.person, on: $0) }
    }
    func mean(_ days: ClosedRange<Day>) -> Double? {
      let values = values(days)
      return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    // "N days" are the days from the first one to the last that deviated.
    let last = min(episode.lastDeviating, today)
    var counted = 0
    for day in episode.activeSince...last where day <= today { counted += 1 }
    let count = counted == 1 ? "1 day" : "\(counted) days"
    #expect(sentence.contains(count), "\(sentence)")
    #expect(line.badge(words).hasPrefix("\(count) · "))

    let isGoing = episode.isActive && last == today
    #expect(sentence.contains("Not back yet") == isGoing, "\(sentence)")
    #expect(sentence.contains(" since ") || !isGoing, "\(sentence)")
    let usual =
      episode.combined?.contributions.first { $0.metric == metric }?.baseline.value
      ?? episode.figures.baseline.value
    let newer = last < today ? mean(last + 1...today) : nil
    let recent = isGoing ? mean(max(episode.activeSince, today - 13)...today) : newer
    if isGoing, let recent {
      #expect(sentence.contains(": \(words.rate(recent, of: metric)) "), "\(sentence)")
      if sentence.contains("; lower since") {
        said.lower += 1
        #expect(recent < usual, "\(sentence)")
      }
      if sentence.contains("; higher since") {
        said.higher += 1
        #expect(recent > usual, "\(sentence)")
      }
      #expect(line.arrow != "↓" || recent < usual, "\(sentence)")
      #expect(line.arrow != "↑" || recent > usual, "\(sentence)")
    }
    if !isGoing, sentence.contains("it was lower"), let past = mean(episode.activeSince...last) {
      #expect(past < usual, "\(sentence)")
    }
    if !isGoing, sentence.contains("it was higher"), let past = mean(episode.activeSince...last) {
      #expect(past > usual, "\(sentence)")
    }
    expectTrueCalm(found, in: alerts, usual, isGoing, &said)
    if let match = sentence.firstMatch(
      of: /Easing: ([0-9]+) of the ([0-9]+) usual days/)
    {
      said.easing += 1
      let (days, needed) = (Int(match.1) ?? 0, Int(match.2) ?? 0)
      #expect((1..<max(2, needed)).contains(days), "\(sentence)")
      #expect(values(last + 1...today).count >= days, "\(sentence)")
      if let newer {
        #expect(sentence.contains(": \(words.rate(newer, of: metric)) "), "\(sentence)")
      }
    }
    if sentence.contains("No such day since ") {
      said.resting += 1
      #expect(last < today && sentence.hasSuffix("since \(words.date(last, in: today))."))
    }
    if case .noData(let since) = line.state {
      said.silent += 1
      #expect(sentence.hasSuffix("No value since \(words.date(since, in: today))."))
      #expect(since <= today && values(since...today).isEmpty, "\(sentence)")
    }
    if let end = episode.resolution {
      said.over += 1
      #expect(last < end.day && end.day <= today, "\(sentence)")
      #expect(
        sentence.contains("Over since \(words.date(end.day, in: today)).")
          == (end.reason == .recovered), "\(sentence)")
    }
    for language in PageWords.shipped.values {
      #expect(!line.sentence(language).contains("{{"))
    }
  }

  /// "Close to usual" is said of values that are closer to the usual value than to that of the alert, and within two
  /// spreads of it, and never where the last one is not.
  private func expectTrueCalm(
    _ found: PersonDayAlerts.PersonLine, in alerts: PersonDayAlerts, _ usual: Double,
    _ isGoing: Bool, _ said: inout Said
  ) {
    let (line, words) = (found.line, PageWords.english)
    let (episode, today, metric) = (line.alert.episode, line.day, line.metric)
    let sentence = line.sentence(words)
    let own = episode.combined?.contributions.first { $0.metric == metric }
    let changed = own?.recent.value ?? episode.figures.recent.value
    let isDrop =
      own.map { $0.recent.value < $0.baseline.value } ?? (line.alert.series.pattern == .drop)
    // Means may be judged by a limit, with values that are on the good side of what is usual.
    guard isDrop ? changed < usual : changed > usual else { return }
    let band = DrawnChart.usualBand(of: line, by: alerts.thresholds)
    func isCalm(_ value: Double) -> Bool {
      // As far from both is not closer, whatever the last bits say.
      let isCloser = abs(value - usual) < abs(value - changed) - 1e-9
      let isBeyond = isDrop ? value > usual : value < usual
      let isWithin =
        band.map { band in
          let spread = isDrop ? usual - band.lowerBound : band.upperBound - usual
          return isDrop ? value > usual - 2 * spread : value < usual + 2 * spread
        } ?? true
      return (isCloser || isBeyond) && isWithin
    }
    // Days without the device are not drawn, and say nothing.
    let known = (episode.activeSince...today).compactMap { day -> (day: Day, value: Double)? in
      guard line.person.reading(of: metric, on: day).value != nil else { return nil }
      return alerts.value(of: metric, found.person, on: day).map { (day: day, value: $0) }
    }
    let calm = Array(known.reversed().prefix { isCalm($0.value) })
    // A limit makes more values low.
    if sentence.contains("below ") { return }
    let isSaid = sentence.contains("close to usual")
    guard let first = calm.last else {
      #expect(!isSaid, "\(sentence)")
      return
    }
    if isGoing {
      said.calm += 1
      #expect(
        sentence.contains("the last value is close to usual") == (calm.count == 1), "\(sentence)")
      #expect(
        sentence.contains("since \(words.date(first.day, in: today)) the values are close to usual")
          == (calm.count > 1), "\(sentence)")
    } else if episode.isActive {
      // The days that are said to be lower end in ones that are not.
      let last = min(episode.lastDeviating, today)
      #expect(isSaid == (first.day <= last), "\(sentence)")
      let date = words.date(first.day, in: today)
      if isSaid {
        #expect(
          sentence.contains("Since \(date) the values are")
            || sentence.contains("The value of \(date) is"), "\(sentence)")
      }
    }
  }

  // MARK: Charts

  /// The bar of the value of now is on that side of the usual line which the sentence says.
  private func expectChart(
    _ found: PersonDayAlerts.PersonLine, in alerts: PersonDayAlerts, _ said: inout Said
  ) {
    guard found.line.state == .going, found.line.recent != nil else { return }
    let chart = DrawnChart(found, by: alerts.thresholds)
    let sentence = found.line.sentence(.english)
    guard let now = chart.now, let usual = chart.usual else {
      Issue.record("\(sentence): no line in \(chart.svg)")
      return
    }
    said.charts += 1
    // Places are rounded to a tenth.
    if sentence.contains("; lower since") { #expect(now > usual - 0.11, "\(sentence)") }
    if sentence.contains("; higher since") { #expect(now < usual + 0.11, "\(sentence)") }
  }

  /// The chart of a drop ends below the band of usual days, that of a rise above it.
  @Test func chartsOfRandomAlertsGoTheRightWay() throws {
    var random = SeededGenerator(seed: 40)
    var drawn = (drops: 0, rises: 0)
    for _ in 0..<Repetitions.count(fast: 30, long: 1000) {
      let isRise = Bool.random(using: &random)
      let drops = [("steps", 8_000.0), ("sleep_minutes", 430), ("hrv_ms", 45)]
      let (metric, level) = isRise ? ("resting_hr", 60) : random.pick(drops)
      let (days, change) = (Int.random(in: 15...40, using: &random), isRise ? 1.3 : 0.55)
      let first = Day(ordinal: 20_600)
      let lines = (0..<120 + days).map { day in
        let noise = Double.random(in: 0.97...1.03, using: &random)
        let value = level * noise * (day < 120 ? 1 : change)
        return "anna,\(first + day),watch,\(value)"
      }
      let table = try MetricTable(
        csv: (["user_id,metric_date,source,\(metric)"] + lines).joined(separator: "\n"))
      let alerts = try PersonDayAlerts(table, by: "v3")
      let own = alerts.lines(on: alerts.table.days.upperBound)
        .filter { $0.line.metric == MetricType(metric) && $0.line.state == .going }
      let found = try #require(own.first, "\(metric)")
      let chart = DrawnChart(found, by: alerts.thresholds)
      let band = try #require(chart.band, "\(chart.svg)")
      let now = try #require(chart.now)
      if isRise {
        drawn.rises += 1
        #expect(now < band.lowerBound)
      } else {
        drawn.drops += 1
        #expect(now > band.upperBound)
      }
    }
    #expect(drawn.drops > 3 && drawn.rises > 3)
  }
}

/// The places in a drawing, downwards.
private struct DrawnChart {
  let svg: String
  var now: Double?
  var usual: Double?
  var band: ClosedRange<Double>?

  /// The range of usual days by hand: a personal spread to each side on the scale of the metric.
  static func usualBand(of line: AlertLine, by thresholds: Thresholds) -> ClosedRange<Double>? {
    let episode = line.alert.episode
    let own = episode.combined?.contributions.first { $0.metric == line.metric }
    guard let anchor = own?.anchor ?? episode.evidence?.anchor,
      let metric = thresholds.metrics.first(where: { $0.metric == line.metric })
    else { return nil }
    func value(_ y: Double) -> Double {
      switch metric.evidence?.transform {
      case .squareRoot: max(y, 0) * max(y, 0)
      case .logarithm: Foundation.exp(y)
      default: max(y, 0)
      }
    }
    return value(anchor.mean - anchor.spread)...value(anchor.mean + anchor.spread)
  }

  init(_ found: PersonDayAlerts.PersonLine, by thresholds: Thresholds) {
    let last = found.line.day
    let material = StripMaterial(
      drawn: last - 59...last, person: found.days, thresholds: thresholds, notifications: [],
      evaluated: [:])
    let contribution = found.line.alert.episode.combined?.contributions
      .first { $0.metric == found.line.metric }
    var strip =
      contribution.map { found.line.alert.strip(of: $0, from: material) }
      ?? found.line.alert.strip(from: material)
    strip.recent = found.line.recent
    svg = strip.drawing.inline(id: "x")
    func place(_ style: String) -> Double? {
      svg.components(separatedBy: "<path class=\"\(style)\" d=\"M").dropFirst().last
        .flatMap { $0.prefix { $0 != "L" }.split(separator: " ").last }.flatMap { Double($0) }
    }
    (now, usual) = (place("now"), place("usual"))
    if let rect = svg.components(separatedBy: "<rect class=\"band\"").dropFirst().last {
      func value(_ name: String) -> Double? {
        rect.components(separatedBy: " \(name)=\"").dropFirst().first
          .flatMap { Double($0.prefix { $0 != "\"" }) }
      }
      if let y = value("y"), let height = value("height") { band = y...y + height }
    }
  }
}
