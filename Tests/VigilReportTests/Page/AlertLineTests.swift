import Foundation
import TestSupport
import Testing
import VigilCharts
import VigilModel
import VigilWords

@testable import VigilReport

/// The sentence about an alert, beside days that are computed a second time.
@Suite struct AlertLineTests {
  private static let last = Day("2026-06-20") ?? Day(ordinal: 0)
  private static let sleep = MetricType("sleep_minutes")

  /// An alert of sleep, whose last day that deviated is some days ago, in 60 days of which the newest come last.
  private func line(
    days: Int, endedAgo: Int = 0, usual: Double = 412, values: [Double?],
    wait: EpisodeCourse.Wait? = nil, resolution: Episode.Resolution.Reason? = nil
  ) throws -> AlertLine {
    let alert = try Samples.alert(
      person: 1, metric: Self.sleep.rawValue, pattern: .drop,
      since: "\(Self.last - (days + endedAgo - 1))", days: days, baseline: usual, recent: 302,
      resolution: resolution)
    let readings = values.map { $0.map(SeriesStrip.Reading.value) ?? .noRow }
    return AlertLine(
      alert, of: Self.sleep, on: Self.last,
      in: PersonDays(
        days: Self.last - (values.count - 1)...Self.last, series: [Self.sleep: readings]),
      course: EpisodeCourse(wait: wait), limit: nil)
  }

  private func usualThen(_ values: [Double?]) -> [Double?] {
    Array(repeating: 412, count: 60 - values.count) + values
  }

  @Test func anAlertThatGoesOnSaysWhatIsNow() throws {
    let line = try line(days: 28, values: usualThen(Array(repeating: 297, count: 28)))
    #expect(
      line.sentence(.english)
        == "Sleep: 4 h 57 min a night in the last 14 days, usually 6 h 52 min; lower since 24 May (28 days)."
        + " Not back yet.")
    #expect(line.arrow == "↓" && line.badge(.english) == "28 days · critical")
    let german = try #require(PageWords.shipped["de"])
    #expect(
      line.sentence(german)
        == "Schlaf: 4 h 57 min pro Nacht in den letzten 14 Tagen, üblich 6 h 52 min; niedriger seit 24. Mai (28 Tage)."
        + " Noch nicht zurück.")
    let spanish = try #require(PageWords.shipped["es"])
    #expect(spanish.date(Self.last, in: Self.last + 400) == "20 de junio de 2026")
    #expect(
      line.sentence(spanish).hasSuffix(
        "desde el 24 de mayo (28 días). Aún no ha vuelto a lo habitual."))
  }

  /// Two normal days are not "lower".
  @Test func anAlertThatEasesSpeaksOfTheNewDays() throws {
    let line = try line(
      days: 20, endedAgo: 2, values: usualThen(Array(repeating: 300, count: 20) + [398, 402]),
      wait: .clean(days: 2, needed: 3))
    #expect(
      line.sentence(.english)
        == "Sleep: 6 h 40 min a night in the last 2 days, usually 6 h 52 min; it was lower from 30 May to 18 June (20 days)."
        + " Easing: 2 of the 3 usual days in a row that end the alert.")
    #expect(line.arrow.isEmpty && line.badgeStyle == "past")
  }

  /// A single value that is usual again, and several, beside a mean that is not.
  @Test func usualValuesOfAnAlertThatGoesOnAreSaid() throws {
    let low = Array(repeating: 300.0, count: 20)
    let one = try line(days: 21, values: usualThen(low + [402]))
    #expect(
      one.sentence(.english).hasSuffix(
        " Not back yet: the last value is close to usual or better, but one is not enough to end the alert."
      ))
    let some = try line(days: 23, values: usualThen(low + [402, nil, 460]))
    #expect(
      some.sentence(.english).hasSuffix(
        " Not back yet: since 18 June the values are close to usual or better, but they are not enough to end the alert."
      ))
    let half = try line(days: 21, values: usualThen(low + [350]))
    #expect(half.sentence(.english).hasSuffix(" Not back yet."))
    let german = try #require(PageWords.shipped["de"])
    #expect(
      some.sentence(german).hasSuffix(
        " seit 18. Juni sind die Werte nahe am Üblichen oder besser, doch sie reichen nicht, um den Alarm zu beenden."
      ))
    let easing = try line(
      days: 21, endedAgo: 1, values: usualThen(low + [402, 410]),
      wait: .clean(days: 1, needed: 3))
    #expect(
      easing.sentence(.english)
        == "Sleep: 6 h 50 min a night on 20 June, usually 6 h 52 min; it was lower from 30 May to 19 June (21 days)."
        + " The value of 19 June is close to usual or better; each day is judged by the mean of the last few days."
        + " Easing: 1 of the 3 usual days in a row that end the alert.")
  }

  /// Beside another metric, a metric is named only where it is not usual again.
  @Test func twoValuesOrAMeanThatAreUsualAgainAreNearUsual() throws {
    let low = Array(repeating: 300.0, count: 20)
    #expect(try !line(days: 20, values: usualThen(low)).isNearUsual)
    #expect(try !line(days: 21, values: usualThen(low + [402])).isNearUsual)
    #expect(try line(days: 22, values: usualThen(low + [402, 398])).isNearUsual)
    let usual = Array(repeating: 400.0, count: 13)
    #expect(try line(days: 34, values: usualThen(low + usual + [310])).isNearUsual)
    #expect(try !line(days: 20, values: usualThen(low + [nil, nil])).isNearUsual)
    let easing = try line(
      days: 20, endedAgo: 2, values: usualThen(low + [398, 402]), wait: .clean(days: 2, needed: 3))
    #expect(easing.isNearUsual)
  }

  /// The level of an alert says how long it has lasted, and nothing about today.
  @Test func theBadgeSaysWhatIsTrueOfToday() throws {
    let low = Array(repeating: 300.0, count: 20)
    let going = try line(days: 20, values: usualThen(low))
    let better = try line(days: 21, values: usualThen(low + [402]))
    let easing = try line(
      days: 20, endedAgo: 2, values: usualThen(low + [398, 402]), wait: .clean(days: 2, needed: 3))
    #expect(going.alert.severity == .critical && better.alert.severity == .critical)
    #expect(
      [going, better, easing].map { $0.badge(.english) } == [
        "20 days · critical", "21 days · better lately", "20 days · easing",
      ])
    #expect([going, better, easing].map(\.badgeStyle) == ["critical", "better", "past"])
    for words in PageWords.shipped.values {
      let loud = ["critical", "attention", "watch"].map(words.label)
      for line in [better, easing] {
        #expect(loud.allSatisfy { !line.badge(words).contains($0) }, "\(words.language)")
      }
    }
  }

  @Test func whatIsOverOrWithoutDataIsThePast() throws {
    let silent = try line(
      days: 10, endedAgo: 5,
      values: usualThen(Array(repeating: 300, count: 10) + Array(repeating: nil, count: 5)),
      wait: .noData(since: Self.last - 4))
    #expect(
      silent.sentence(.english)
        == "Sleep: it was lower from 6 June to 15 June (10 days), 5 h a night in these days, usually 6 h 52 min."
        + " No value since 16 June.")
    let over = try line(
      days: 20, endedAgo: 5,
      values: usualThen(Array(repeating: 300, count: 20) + Array(repeating: 412, count: 5)),
      resolution: .recovered)
    #expect(
      over.sentence(.english)
        == "Sleep: it was lower from 27 May to 15 June (20 days), 5 h a night in the last 14 of these days,"
        + " usually 6 h 52 min. Over since 17 June.")
  }

  @Test func dosesAreCounted() throws {
    var alert = try Samples.alert(
      person: 1, metric: "dose_adherence_pct", pattern: .drop, since: "2026-06-12", days: 9,
      baseline: 90, recent: 20)
    alert.episode.doses = DoseEvidence(
      openedOn: Self.last - 2, windowDays: 7, missed: 5, expected: 7, evidence: 12,
      threshold: 9, heldLevel: 0.8,
      anchor: DoseAnchor(
        missed: 12, expected: 120, share: 0.1, withinDay: 0.5, weekdays: SIMD8(repeating: 0.1),
        run: 0, countedDoses: 120), recordedOn: Self.last - 3)
    // Doses twice on the last day, once before; one that is not yet due does not count.
    let doses: [[DoseLanes.Mark]] =
      Array(repeating: [.taken], count: 4) + Array(repeating: [.missed], count: 6)
      + [[.late, .extra], [.skipped], [.missed, .missed, .pending]]
    let line = AlertLine(
      alert, of: .doseAdherence, on: Self.last,
      in: PersonDays(
        days: Self.last - 12...Self.last, series: [:], doses: [.init(label: "a", doses: doses)]),
      course: nil, limit: nil)
    #expect(
      line.sentence(.english)
        == "Doses: 9 of the last 10 missed, usually 1 of 10; since 12 June (9 days). Not back yet.")
  }

  /// Hours and minutes by hand; zeros are not said.
  private func hours(_ value: Double) -> String {
    let minutes = Int(value.rounded())
    return [(minutes / 60, "h"), (minutes % 60, "min")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }

  /// Whatever the values are: "lower" is less than usual, and the days are those that were counted.
  @Test func sentencesAreThoseOfTheDays() throws {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<Repetitions.count(fast: 300, long: 20_000) {
      let days = Int.random(in: 3...30, using: &random)
      let ended = Bool.random(using: &random) ? 0 : Int.random(in: 1...6, using: &random)
      let usual = Double.random(in: 200...500, using: &random)
      let values: [Double?] = (0..<60).map { _ in
        Int.random(in: 0..<5, using: &random) == 0
          ? nil : Double.random(in: 100...600, using: &random)
      }
      let line = try line(
        days: days, endedAgo: ended, usual: usual, values: values,
        wait: ended == 0 ? nil : .clean(days: ended, needed: 7))
      let sentence = line.sentence(.english)
      #expect(sentence.contains("\(days) days"), "\(sentence)")
      // A second way: the values by hand.
      let counted =
        ended == 0
        ? Array(values.suffix(min(14, days))) : Array(values.dropLast(ended).suffix(days))
      let known = counted.compactMap(\.self)
      guard !known.isEmpty else { continue }
      let mean = known.reduce(0, +) / Double(known.count)
      #expect(sentence.contains("lower") == (mean < usual), "\(sentence)")
      let newer = values.suffix(ended).compactMap(\.self)
      if ended > 0, !newer.isEmpty {
        let recent = newer.reduce(0, +) / Double(newer.count)
        #expect(sentence.contains(": \(hours(recent)) a night"), "\(sentence)")
      } else if ended == 0 {
        #expect(sentence.contains(": \(hours(mean)) a night"), "\(sentence)")
      }
    }
  }

  @Test func allLanguagesHaveTheSameTexts() {
    for (code, words) in PageWords.shipped {
      #expect(words.language == code)
      #expect(Set(words.labels.keys) == Set(PageWords.english.labels.keys), "\(code)")
      for sentence in PageWords.Sentence.allCases {
        #expect(!words.text(sentence).isEmpty || sentence == .date, "\(code) \(sentence)")
      }
      // English drawings have their own texts; those of other languages name the same values.
      #expect(
        Set(words.charts.keys) == Set(code == "en" ? [] : ChartText.allCases.map(\.rawValue)))
      for text in ChartText.allCases {
        let own = words.ofCharts.texts[text] ?? text.english
        #expect(ChartText.names(in: own) == text.names, "\(code) \(text)")
      }
      for symbol in ChartSymbol.allCases {
        #expect(words.labels["symbol_\(symbol.rawValue)"] != nil, "\(code) \(symbol)")
      }
      for mark in DoseLanes.Mark.allCases {
        #expect(words.labels["dose_\(mark.rawValue)"] != nil, "\(code) \(mark)")
      }
    }
  }
}
