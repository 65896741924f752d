public import VigilModel

/// The words and signs of numbers and dates in a drawing.
public struct ChartLanguage: Hashable, Sendable {
  /// Of the twelve months, as short as an axis needs them.
  public var months: [String]
  /// From Monday on, as short as a calendar needs them.
  public var weekdays: [String]
  public var decimal: String
  public var thousands: String
  /// The texts of the drawings; those that are missing are English.
  public var texts: [ChartText: String]

  public init(
    months: [String], weekdays: [String], decimal: String, thousands: String,
    texts: [ChartText: String] = [:]
  ) {
    precondition(months.count == 12 && weekdays.count == 7)
    self.months = months
    self.weekdays = weekdays
    self.decimal = decimal
    self.thousands = thousands
    self.texts = texts
  }

  public static let english = ChartLanguage(
    months: [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ], weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], decimal: ".", thousands: ",")

  /// A text with its values.
  public func text(_ text: ChartText, _ values: [String: String] = [:]) -> String {
    var result = ""
    var rest = (texts[text] ?? text.english)[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += values[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// `28 Jun`.
  func short(_ day: Day) -> String { date(.date, day) }

  /// `28 Jun 2026`.
  public func long(_ day: Day) -> String { date(.longDate, day) }

  private func date(_ form: ChartText, _ day: Day) -> String {
    let (year, month, day) = day.components
    return text(form, ["day": "\(day)", "month": months[month - 1], "year": "\(year)"])
  }

  /// `, on 13 Jan 2026` for a day before the last one.
  func onDay(_ day: Day, before last: Day) -> String {
    day == last ? "" : text(.onDay, ["day": long(day)])
  }

  /// A value of a metric: whole from 100 on, else with at most one decimal.
  public func value(_ value: Double) -> String { own(ChartNumber.value(value)) }

  /// `+1.3`: with its sign and one decimal; 0 has no sign.
  func signed(_ value: Double) -> String { own(ChartNumber.signed(value)) }

  /// A number with the signs of the language.
  func own(_ number: String) -> String {
    String(
      number.map { character in
        switch character {
        case ".": decimal
        case ",": thousands
        default: String(character)
        }
      }.joined())
  }
}
