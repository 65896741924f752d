import VigilModel

/// Reads the lists of schedules, of which most are the same few.
struct ListMemory {
  private var times: [String: [TimeOfDay]?] = [:]
  private var weekdays: [String: Schedule.Weekdays?] = [:]

  /// Texts that are remembered at most.
  private static let capacity = 10_000

  /// Times of day from a JSON array; nil for anything else.
  ///
  /// - Complexity: O(1) for a text that was asked for before.
  mutating func times(_ text: String) -> [TimeOfDay]? {
    if let known = times[text] { return known }
    let list = elements(of: text).flatMap { elements in
      let times = elements.compactMap { $0.text.flatMap { TimeOfDay($0) } }
      return times.count == elements.count ? times : nil
    }
    if times.count >= Self.capacity { times.removeAll() }
    times[text] = .some(list)
    return list
  }

  /// Weekdays from a JSON array of numbers from 0 to 6; nil for anything else.
  mutating func weekdays(_ text: String) -> Schedule.Weekdays? {
    if let known = weekdays[text] { return known }
    let list = elements(of: text).flatMap { elements in
      let days = elements.compactMap { $0.whole.flatMap { (0...6).contains($0) ? $0 : nil } }
      return days.count == elements.count ? Schedule.Weekdays(days: days) : nil
    }
    if weekdays.count >= Self.capacity { weekdays.removeAll() }
    weekdays[text] = .some(list)
    return list
  }

  private func elements(of text: String) -> [JSONValue]? {
    (try? JSONValue(parsing: text.utf8))?.elements
  }
}
