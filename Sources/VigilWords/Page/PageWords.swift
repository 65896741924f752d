import Foundation
import Mustache
public import VigilModel

/// The words of one language for the page of `vigil report`: its labels, sentences, numbers and dates.
///
/// ```swift
/// guard let words = PageWords.shipped["de"], let day = Day("2026-05-24") else { return }
/// print(words.date(day, in: day))  // 24. Mai
/// print(words.rate(297.4, of: MetricType("sleep_minutes")))  // 4 h 57 min pro Nacht
/// ```
public struct PageWords: Sendable {
  /// The code of the language, such as `en`.
  public let language: String
  /// The names of metrics, their units and numbers.
  public let words: Words
  /// Texts without values, by the name that the templates of the page use.
  public let labels: [String: String]
  private let months: [String]
  /// The months and the weekdays from Monday on, as short as a drawing needs them.
  public let shortMonths: [String]
  public let shortWeekdays: [String]
  /// The texts of drawings that are not in English, by their names.
  public let charts: [String: String]
  private let per: [String: String]
  private let templates: [Sentence: MustacheTemplate]

  /// A template of the page.
  public enum Sentence: String, Sendable, CaseIterable {
    case days, day
    case date
    /// A date of another year.
    case longDate = "long_date"
    /// The days that a value is the mean of: up to the evaluated day, or of an alert that does not go on.
    case lastDays = "last_days"
    case lastDay = "last_day"
    case daysOfThem = "days_of_them"
    case daysBetween = "days_between"
    case allOfThem = "all_of_them"
    case lower, higher, below, changed
    /// A metric that deviates today, one that does not, and each where no value is known.
    case now, past, easing, nowUnknown = "now_unknown", pastUnknown = "past_unknown"
    case limitNow = "limit_now", limitPast = "limit_past"
    case doses, dosesPast = "doses_past", dosesEasing = "doses_easing", noDoses = "no_doses"
    case usually, usuallyNone = "usually_none"
    case since, untilThen = "until_then"
    case going, goingOne = "going_one", goingSome = "going_some"
    /// Of what is not measured, and so does not go back.
    case notOver = "not_over"
    /// Days that count although their values are usual again.
    case counted, countedOne = "counted_one"
    case easingDays = "easing_days", noData = "no_data", gaps, workouts, quiet, over, closed
    case also, badge, alsoValue = "also_value"
    case opened, openedOne = "opened_one", furthest, lastValue = "last_value", together
    case needHidden = "need_hidden", needAbout = "need_about"
    case need, needOne = "need_one", groups, people, left, leftOne = "left_one", facts
    case more, moreOne = "more_one"
    case medication, person
    case family, list
    // For analysts.
    case levelOf = "level_of", openedWith = "opened_with", besideUsual = "beside_usual", atFirst =
      "at_first"
    case withZ = "with_z", trendBy = "trend_by", trendFrom = "trend_from"
    // The run.
    case runDays = "run_days", runPersons = "run_persons", runChanges = "run_changes"
    case runPlanned = "run_planned", runEnqueued = "run_enqueued"
    case rejected, moreKinds = "more_kinds", noColumn = "no_column"
    case unusableRows = "unusable_rows", reasonInSeries = "reason_in_series"
    // Two profiles.
    case compareScope = "compare_scope", compareNames = "compare_names"
    case compareSame = "compare_same", compareFound = "compare_found", compareOnly = "compare_only"
  }

  /// The languages that Vigil has words of, by their codes.
  public static let shipped: [String: PageWords] = [
    "de": PageWords("de", PackageResources.page_de_json),
    "en": english,
    "es": PageWords("es", PackageResources.page_es_json),
  ]

  public static let english = PageWords("en", PackageResources.page_en_json)

  private struct Source: Decodable {
    var months: [String]
    var shortMonths: [String]
    var shortWeekdays: [String]
    var charts: [String: String]
    var per: [String: String]
    var labels: [String: String]
    var sentences: [String: String]
  }

  private init(_ language: String, _ text: String) {
    self.language = language
    words = Words.shipped(language)
    do {
      let source = try JSONDecoder().decode(Source.self, from: Data(text.utf8))
      (months, per, labels) = (source.months, source.per, source.labels)
      (shortMonths, shortWeekdays) = (source.shortMonths, source.shortWeekdays)
      charts = source.charts
      var templates: [Sentence: MustacheTemplate] = [:]
      for sentence in Sentence.allCases {
        // No HTML: the page escapes what it shows.
        templates[sentence] = try source.sentences[sentence.rawValue].map {
          try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + $0)
        }
      }
      self.templates = templates
    } catch {
      preconditionFailure("the shipped words of the page in \(language): \(error)")
    }
    precondition(
      templates.count == Sentence.allCases.count,
      "the page lacks in \(language): \(Sentence.allCases.filter { templates[$0] == nil })")
  }

  /// The same words, with a name for each metric that they do not know.
  public func naming(_ name: @escaping @Sendable (MetricType) -> String) -> PageWords {
    PageWords(self, words: words.naming(name))
  }

  private init(_ other: PageWords, words: Words) {
    language = other.language
    self.words = words
    (labels, months, per, templates) = (other.labels, other.months, other.per, other.templates)
    (shortMonths, shortWeekdays) = (other.shortMonths, other.shortWeekdays)
    charts = other.charts
  }

  /// A sentence with its values.
  public func text(_ sentence: Sentence, _ values: [String: any Sendable] = [:]) -> String {
    templates[sentence]?.render(values) ?? ""
  }

  /// A text without values.
  public func label(_ name: String) -> String { labels[name] ?? name }

  /// A value with its unit: `57 bpm`, `4 h 57 min`.
  public func value(_ value: Double, of metric: MetricType) -> String {
    words.value(value, of: metric)
  }

  /// A value beside another one that has its unit: `60`; durations and percentages are not said without one.
  public func valueBeside(_ value: Double, of metric: MetricType) -> String {
    words.valueBeside(value, of: metric)
  }

  /// A value with its unit and what it is counted over: `4 h 57 min a night`.
  public func rate(_ value: Double, of metric: MetricType) -> String {
    let per = per[metric.rawValue].map { " \(label("a_\($0)"))" } ?? ""
    return self.value(value, of: metric) + per
  }

  /// The unit of a metric; empty where it has none.
  public func unit(of metric: MetricType) -> String {
    words.unit(of: metric).trimmingCharacters(in: .whitespaces)
  }

  /// A number without a unit.
  public func number(_ value: Double) -> String { words.number(value) }

  /// A number with two decimals: `4.58`.
  public func decimals(_ value: Double) -> String { words.decimals(value) }

  public func count(_ value: Int) -> String { words.number(Double(value)) }

  /// A number of days: `1 day`, `12 days`.
  public func days(_ count: Int) -> String {
    text(count == 1 ? .day : .days, ["count": self.count(count)])
  }

  /// A sentence that counts something, with other words for one.
  public func counted(
    _ sentence: Sentence, _ count: Int, _ values: [String: any Sendable] = [:]
  ) -> String {
    let own: [String: any Sendable] = ["count": self.count(count), "one": count == 1]
    return text(sentence, values.merging(own) { $1 })
  }

  /// The signs between the digits of numbers.
  public var decimal: String { words.sign("decimal") ?? "." }
  public var thousands: String { words.sign("thousands") ?? "," }

  /// A date: `24 May`, or with its year where that is not the one of `today`.
  public func date(_ day: Day, in today: Day) -> String {
    let own = day.components
    let values: [String: any Sendable] = [
      "day": own.day, "month": months[own.month - 1], "year": String(own.year),
    ]
    return text(own.year == today.components.year ? .date : .longDate, values)
  }

  /// A date with its year: `24 May 2026`.
  public func longDate(_ day: Day) -> String {
    let own = day.components
    return text(
      .longDate, ["day": own.day, "month": months[own.month - 1], "year": String(own.year)])
  }
}
