import VigilModel

/// The words and signs of numbers and dates in a drawing.
public struct ChartLanguage: Hashable, Sendable {
  /// Of the twelve months, as short as an axis needs them.
  public var months: [String]
  /// From Monday on, as short as a calendar needs them.
  public var weekdays: [String]
  public var decimal: String
  public var thousands: String

  public init(months: [String], weekdays: [String], decimal: String, thousands: String) {
    precondition(months.count == 12 && weekdays.count == 7)
    self.months = months
    self.weekdays = weekdays
    self.decimal = decimal
    self.thousands = thousands
  }

  public static let english = ChartLanguage(
    months: [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ], weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], decimal: ".", thousands: ",")

  /// `28 Jun`.
  func short(_ day: Day) -> String {
    let (_, month, day) = day.components
    return "\(day) \(months[month - 1])"
  }

  /// A value of a metric: whole from 100 on, else with at most one decimal.
  func value(_ value: Double) -> String {
    String(
      ChartNumber.value(value).map { character in
        switch character {
        case ".": decimal
        case ",": thousands
        default: String(character)
        }
      }.joined())
  }
}
