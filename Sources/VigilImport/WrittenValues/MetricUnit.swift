import VigilModel

/// A unit that a column of a file can have.
public enum MetricUnit: String, Sendable, Hashable, CaseIterable, Codable {
  case count
  case minutes
  case hours
  case seconds
  case milliseconds
  /// Hours, minutes and maybe seconds, such as `7:32`, `7h 32min` and `PT7H32M`.
  case clock
  case bpm
  case percent
  /// A share from 0 to 1.
  case fraction
  case kcal
  case kJ
  /// Of breaths.
  case perMinute = "per-minute"
  case celsius
  case fahrenheit

  /// The units in which a metric can be given; the first is the one it is stored in.
  static func units(of metric: MetricType) -> [MetricUnit] {
    switch metric.rawValue {
    case "hrv_ms": [.milliseconds, .seconds]
    case "resting_hr": [.bpm]
    case "sleep_efficiency_pct", "spo2_avg_pct": [.percent, .fraction]
    case "active_calories": [.kcal, .kJ]
    case "breathing_rate": [.perMinute]
    case "skin_temperature_c": [.celsius, .fahrenheit]
    case let name where name.hasSuffix("_minutes"):
      [.minutes, .hours, .seconds, .milliseconds, .clock]
    default: [.count]
    }
  }

  /// A value in the unit that the metric is stored in; not negative.
  func value(
    _ bytes: FieldParser.Bytes, of metric: MetricType, mark: DecimalMark, parser: FieldParser
  ) throws(Refusal) -> Double {
    if self == .clock { return try minutes(bytes) }
    let text = NumberWithUnit(bytes)
    let number = try parser.real(text.number, mark: mark)
    try requireWord(text.unit)
    guard number >= 0 else { throw Refusal("negative") }
    if self == .percent, number > 0, number <= 1 {
      throw Refusal("at most 1 %, as a fraction is; give the column the unit fraction")
    }
    let value = stored(number, of: metric)
    guard value.isFinite else { throw Refusal("not a finite number") }
    try parser.requirePossible(value, of: metric)
    return value
  }

  /// `number` of this unit in the unit that the metric is stored in.
  func stored(_ number: Double, of metric: MetricType) -> Double {
    switch self {
    case .hours: number * 60
    case .seconds: metric.rawValue == "hrv_ms" ? number * 1000 : number / 60
    case .milliseconds: metric.rawValue == "hrv_ms" ? number : number / 60_000
    case .fraction: number * 100
    case .kJ: number / 4.184
    case .fahrenheit: (number - 32) / 1.8
    default: number
    }
  }

  /// `7:32`, `7:32:10`, `7h 32min`, `7h`, `32 min`.
  private func minutes(_ bytes: FieldParser.Bytes) throws(Refusal) -> Double {
    var text = String(decoding: bytes, as: UTF8.self)
    // ISO 8601 begins a duration so.
    if text.hasPrefix("PT") { text.removeFirst(2) }
    if let minutes = Self.minutes(inWords: text) { return minutes }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) ? UInt8(part).map(Double.init) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { throw Refusal("not a duration (H:MM)") }
    return numbers[0] * 60 + numbers[1] + (numbers.count == 3 ? numbers[2] / 60 : 0)
  }

  /// Hours, minutes and seconds, each with its letter, the larger ones first; nil for anything else.
  private static func minutes(inWords text: String) -> Double? {
    var sum = 0.0
    var largest = Double.infinity
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " }
      guard !rest.isEmpty else { return largest < .infinity ? sum : nil }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let word = rest.prefix { $0.isLetter }
      // An abbreviation may have its dot.
      rest = rest.dropFirst(word.count)
      if !word.isEmpty, rest.first == "." { rest = rest.dropFirst() }
      guard digits.utf8.count <= 4, let number = Double(digits) else { return nil }
      let minutes: Double
      switch word.lowercased() {
      case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "hora", "horas":
        minutes = 60
      case "m", "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos": minutes = 1
      case "s", "sec", "secs", "seconds", "sek", "sekunden", "seg", "segundos": minutes = 1.0 / 60
      default: return nil
      }
      guard minutes < largest, largest == .infinity || number < 60 else { return nil }
      largest = minutes
      sum += number * minutes
    }
  }
}

extension MetricType {
  /// Whether it is a part of a whole, in percent.
  var isShare: Bool { MetricUnit.units(of: self)[0] == .percent }
}
