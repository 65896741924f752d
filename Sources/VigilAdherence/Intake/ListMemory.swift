import Foundation
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
    let texts = try? JSONDecoder().decode([String].self, from: Data(text.utf8))
    let list = texts.flatMap { texts in
      let times = texts.compactMap { TimeOfDay($0) }
      return times.count == texts.count ? times : nil
    }
    if times.count >= Self.capacity { times.removeAll() }
    times[text] = .some(list)
    return list
  }

  /// Weekdays from a JSON array of numbers from 0 to 6; nil for anything else.
  mutating func weekdays(_ text: String) -> Schedule.Weekdays? {
    if let known = weekdays[text] { return known }
    let days = try? JSONDecoder().decode([Int].self, from: Data(text.utf8))
    let list = days.flatMap { days in
      days.allSatisfy((0...6).contains) ? Schedule.Weekdays(days: days) : nil
    }
    if weekdays.count >= Self.capacity { weekdays.removeAll() }
    weekdays[text] = .some(list)
    return list
  }
}
