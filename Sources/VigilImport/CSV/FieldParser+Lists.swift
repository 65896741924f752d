import Foundation
import VigilModel
import VigilStorage

extension FieldParser {
  /// A list as a JSON array, or as PostgreSQL writes its own arrays, such as `{08:00,20:00}`.
  ///
  /// - Returns: The same as a JSON array without spaces.
  func list(_ bytes: Bytes, of element: InputTable.ListElement) throws(Refusal) -> String {
    let field = try text(bytes)
    switch element {
    case .text:
      return try JSONString.array(texts(field))
    case .timeOfDay:
      let times = try texts(field)
      guard !times.isEmpty else { throw Refusal("not a list of times of day (HH:MM)") }
      return JSONString.array(
        try times.map { (time) throws(Refusal) in
          guard let time = TimeOfDay(time) else {
            throw Refusal("not a list of times of day (HH:MM)")
          }
          return time.description
        })
    case .weekday:
      let days = try weekdays(field)
      return "[\(days.map(String.init).joined(separator: ","))]"
    }
  }

  private func texts(_ field: String) throws(Refusal) -> [String] {
    if let texts = try? JSONDecoder().decode([String].self, from: Data(field.utf8)) { return texts }
    guard let items = arrayItems(field) else { throw Refusal("not a list (a JSON array)") }
    return items
  }

  private func weekdays(_ field: String) throws(Refusal) -> [Int] {
    let decoded = try? JSONDecoder().decode([Int].self, from: Data(field.utf8))
    let days = decoded ?? arrayItems(field)?.map { Int($0) ?? -1 } ?? [-1]
    guard days.allSatisfy((0...6).contains) else {
      throw Refusal("not a list of weekdays from 0 (Sunday) to 6")
    }
    return days
  }

  /// The items of an array of PostgreSQL; nil for other text, and for one with quotes or escapes in
  /// it.
  private func arrayItems(_ field: String) -> [String]? {
    guard field.hasPrefix("{"), field.hasSuffix("}"), field.utf8.count >= 2,
      !field.contains(where: { $0 == "\"" || $0 == "\\" })
    else { return nil }
    let items = field.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    return items == [""] ? [] : items.map(String.init)
  }
}
