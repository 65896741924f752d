public import Foundation
public import VigilModel

/// A file of daily metrics: the values of the first source of each day.
public struct MetricTable {
  public private(set) var persons: [String] = []
  public private(set) var days: ClosedRange<Day>
  /// By metric and place of the person.
  public private(set) var values: [MetricType: [Int: [Day: Double]]] = [:]

  public init(_ file: URL) throws {
    try self.init(csv: String(contentsOf: file, encoding: .utf8))
  }

  public init(csv: String) throws {
    let lines = csv.split(whereSeparator: \.isNewline)
    let names = (lines.first ?? "").split(separator: ",").map(String.init)
    var places: [String: Int] = [:]
    var (first, last): (Day?, Day?) = (nil, nil)
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard let day = Day(cells[1]) else { throw NoDay(text: cells[1]) }
      first = min(first ?? day, day)
      last = max(last ?? day, day)
      let person = places[cells[0]] ?? persons.count
      if person == persons.count {
        persons.append(cells[0])
        places[cells[0]] = person
      }
      for (name, cell) in zip(names, cells).dropFirst(3) {
        guard let value = Double(cell) else { continue }
        if values[MetricType(name)]?[person]?[day] == nil {
          values[MetricType(name), default: [:]][person, default: [:]][day] = value
        }
      }
    }
    guard let first, let last else { throw NoDay(text: "") }
    days = first...last
  }

  /// The day of a row that is none, or a file without a row.
  public struct NoDay: Error {
    public var text: String
  }
}
