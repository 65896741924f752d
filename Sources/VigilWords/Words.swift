import Foundation
import Mustache
public import VigilModel

/// The words of one language for sentences about alerts, ready to render.
public struct Words: Sendable {
  private let source: WordsSource
  private let templates: [Sentence: MustacheTemplate]
  private var nameOfOther: (@Sendable (MetricType) -> String)?

  /// A template of the words.
  public enum Sentence: String, Sendable, CaseIterable {
    /// One day after "for".
    case day
    /// Several days after "for".
    case days
    /// The word between the last two of several metrics, with its spaces.
    case and
    case lower
    case higher
    /// Below an absolute limit.
    case below
    case together
    /// A change of which nothing more is known.
    case changed
    case silence
    case medication
    case doses
    /// Doses of which none was recorded.
    case noDoses = "no_doses"
    /// Values below a limit that was set.
    case belowLimit = "below_limit"
    /// Values above a limit that was set.
    case aboveLimit = "above_limit"
    /// The last value beyond a limit, and the limit.
    case limitValue = "limit_value"
    /// The size of a change.
    case size
    /// The new value and the usual one.
    case values
  }

  /// Words that cannot be used; holds no other text of the file.
  public struct Fault: Error, Hashable {
    public let description: String
  }

  /// - Throws: `Fault`.
  public init(_ source: WordsSource) throws {
    if let unknown = source.sentences.keys.sorted().first(where: { Sentence(rawValue: $0) == nil })
    {
      let known = Sentence.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(description: "has an unknown sentence \(unknown); it may have \(known)")
    }
    var templates: [Sentence: MustacheTemplate] = [:]
    for sentence in Sentence.allCases {
      guard let text = source.sentences[sentence.rawValue] else {
        throw Fault(description: "lacks the sentence \(sentence.rawValue)")
      }
      do {
        // No HTML: nothing is escaped.
        templates[sentence] = try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
      } catch {
        throw Fault(description: "the sentence \(sentence.rawValue) is no Mustache")
      }
    }
    self.source = source
    self.templates = templates
  }

  /// The shipped English words.
  public static let english = shipped("en")

  /// - Parameter language: One of `WordsSource.shipped`.
  static func shipped(_ language: String) -> Words {
    guard let source = WordsSource.shipped[language], let words = try? Words(source) else {
      preconditionFailure("the shipped words of \(language) are complete")
    }
    return words
  }

  /// The same words, with a name for each metric that they do not know.
  public func naming(_ name: @escaping @Sendable (MetricType) -> String) -> Words {
    var words = self
    words.nameOfOther = name
    return words
  }

  // MARK: Sentences

  /// The sentence about an alert, with the size of its change and without a full stop.
  ///
  /// An example: `Sleep: lower than usual for 9 days (28 % below the usual level over the last 7 days)`.
  public func sentence(of summary: AlertSummary) -> String {
    guard let detail = detail(of: summary) else { return headline(of: summary) }
    return "\(headline(of: summary)) (\(detail))"
  }

  /// The sentence about an alert without the size of its change: `Sleep: lower than usual for 9 days`.
  public func headline(of summary: AlertSummary) -> String {
    let values = values(of: summary)
    return switch summary.change {
    case .value(.lower, _): render(.lower, values)
    case .value(.higher, _): render(.higher, values)
    case .value(.below, _): render(.below, values)
    case .value(.unclear, _): render(.changed, values)
    case .together: render(.together, values)
    case .silence: render(.silence, values)
    case .medication: render(.medication, values)
    case .limit(let limit): render(limit.direction == .below ? .belowLimit : .aboveLimit, values)
    case .doses(let doses): render(doses.isRecorded ? .doses : .noDoses, values)
    }
  }

  /// The size of the change; nil where there is none to say.
  private func detail(of summary: AlertSummary) -> String? {
    if case .limit(let limit) = summary.change {
      return limit.value == nil ? nil : render(.limitValue, values(of: summary))
    }
    guard case .value(let change, let size) = summary.change else { return nil }
    var values = values(of: summary)
    var parts: [String] = []
    let isOnSide = change == .lower || change == .higher
    if isOnSide, let percent = percent(size.deviation) {
      values["percent"] = percent
      values["lower"] = change == .lower
      values["higher"] = change == .higher
      switch size.window {
      case .newest: break
      case .days(let count): values["window"] = days(count)
      case .atFirst: values["at_first"] = true
      }
      parts.append(render(.size, values))
    }
    if size.values != nil { parts.append(render(.values, values)) }
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  private func values(of summary: AlertSummary) -> [String: any Sendable] {
    var values: [String: any Sendable] = [
      "metric": title(of: summary.metric), "days": days(summary.days),
    ]
    switch summary.change {
    case .value(let change, let size):
      if case .below(let limit) = change { values["limit"] = value(limit, of: summary.metric) }
      if let own = size.values {
        values["recent"] = value(own.recent, of: summary.metric)
        values["usual"] = valueBeside(own.usual, of: summary.metric)
      }
    case .together(let metrics): values["metrics"] = list(of: metrics)
    case .doses(let doses):
      if let counts = doses.counts {
        (values["missed"], values["expected"]) = (counts.missed, counts.expected)
      }
      if doses.usual.missed > 0 { values["usual_missed"] = doses.usual.missed }
      values["usual_expected"] = doses.usual.expected
      if let since = doses.since { values["since"] = since.description }
      if let until = doses.until { values["until"] = until.description }
    case .limit(let limit):
      guard let own = limit.value else { break }
      values["recent"] = value(own.value, of: summary.metric)
      values["limit"] = value(own.limit, of: summary.metric)
      values["day"] = own.day.description
    case .silence, .medication: break
    }
    return values
  }

  private func render(_ sentence: Sentence, _ values: [String: any Sendable]) -> String {
    templates[sentence]?.render(values) ?? ""
  }

  // MARK: Parts

  /// The metric as it is in the middle of a sentence.
  public func name(of metric: MetricType) -> String {
    source.metrics[metric.rawValue] ?? nameOfOther?(metric) ?? source.otherMetric
  }

  /// The name of a metric that the words know; nil for others.
  public func knownName(of metric: MetricType) -> String? { source.metrics[metric.rawValue] }

  /// The metric at the beginning of a sentence.
  public func title(of metric: MetricType) -> String { capitalised(name(of: metric)) }

  /// Metrics at the beginning of a sentence: `Sleep, steps and resting heart rate`.
  public func list(of metrics: [MetricType]) -> String { capitalised(names(of: metrics)) }

  /// Metrics within a sentence: `sleep, steps and resting heart rate`.
  public func names(of metrics: [MetricType]) -> String {
    let names = metrics.map(name)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + render(.and, [:]) + last
  }

  /// Days after "for": `1 day`, `12 days`.
  public func days(_ count: Int) -> String {
    render(count == 1 ? .day : .days, ["count": count])
  }

  /// Whether a deviation, a fraction, is said in percent: a value that no body has, such as a sentinel, can have any.
  public static func canSay(deviation: Double) -> Bool { abs(deviation) < 1000 }

  /// The size of a deviation, below 10 % with one decimal; nil where it is nothing to say.
  private func percent(_ deviation: Double?) -> String? {
    guard let deviation, Self.canSay(deviation: deviation) else { return nil }
    let size = abs(deviation) * 100
    let isSmall = size < 9.95
    let text = number((isSmall ? (size * 10).rounded() / 10 : size.rounded()))
    return text == "0" ? nil : text
  }

  /// One of the signs of numbers.
  func sign(_ name: String) -> String? { source.numbers[name] }

  func unit(of metric: MetricType) -> String {
    source.units[metric.rawValue].map { " \($0)" } ?? ""
  }

  /// Whether the values of a metric are minutes, which people read with hours.
  public func isDuration(_ metric: MetricType) -> Bool { source.units[metric.rawValue] == "min" }

  /// A value with its unit: `57 bpm`, `4 h 57 min`.
  func value(_ value: Double, of metric: MetricType) -> String {
    isDuration(metric) ? DurationText.minutes(value) : number(value) + unit(of: metric)
  }

  /// A value beside another one that has its unit: `412`; durations and percentages are not said without one.
  func valueBeside(_ value: Double, of metric: MetricType) -> String {
    isDuration(metric) || unit(of: metric) == " %"
      ? self.value(value, of: metric) : number(value)
  }

  /// A number for people: whole from 100 on, else with at most one decimal.
  func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    if abs(value) >= 99.95 {
      return Self.grouped(Int(value.rounded()), by: source.numbers["thousands"] ?? ",")
    }
    let text = String(format: "%.1f", value)
    let isWhole = text.hasSuffix(".0")
    let short = isWhole ? String(text.dropLast(2)) : text
    return (short == "-0" ? "0" : short).replacing(".", with: source.numbers["decimal"] ?? ".")
  }

  /// A number with two decimals, of large ones with one or none.
  func decimals(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 999.5 else { return number(value) }
    // A number that rounds to 0 has no sign.
    let text = String(
      format: "%.\(abs(value) >= 99.95 ? 1 : 2)f", abs(value) < 0.005 ? 0 : value)
    return text.replacing(".", with: source.numbers["decimal"] ?? ".")
  }

  private static func grouped(_ value: Int, by separator: String) -> String {
    let digits = String(value.magnitude)
    var result = ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { result += separator }
      result.append(digit)
    }
    return value < 0 ? "-" + result : result
  }

  private func capitalised(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
