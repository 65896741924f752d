import Foundation
import VigilModel

/// The offsets of one time zone as a table, with times in microseconds.
///
/// Period `i` lasts from `starts[i]` to before `starts[i + 1]`. Right for the years 2000 to 2040;
/// before and after them the nearest offset goes on.
final class ZoneRules: Sendable {
  /// The first instant of each period; that of the first is before all times.
  let starts: [Int64]
  /// What each period adds to UTC.
  let offsets: [Int64]
  /// What a wall clock has shown up to the end of each period, not included; never decreases.
  let localEnds: [Int64]

  static let beforeAll = Int64.min / 4
  static let afterAll = Int64.max / 4
  static let microsecondsPerDay: Int64 = 86_400_000_000

  init(_ zone: TimeZone) {
    func offset(_ second: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }
    var starts = [Self.beforeAll]
    var second = Self.firstSecond
    var current = offset(second)
    var offsets = [current * 1_000_000]
    while second < Self.lastSecond {
      let next = second + Self.step
      let after = offset(next)
      if after != current {
        var (before, changed) = (second, next)
        while changed - before > 1 {
          let middle = before + (changed - before) / 2
          if offset(middle) == current { before = middle } else { changed = middle }
        }
        starts.append(changed * 1_000_000)
        current = offset(changed)
        offsets.append(current * 1_000_000)
        // A second change within the same step is found from here.
        second = changed
      } else {
        second = next
      }
    }
    var localEnds: [Int64] = []
    var shown = Self.beforeAll
    for index in starts.indices {
      let end = index + 1 < starts.count ? starts[index + 1] + offsets[index] : Self.afterAll
      shown = max(shown, end)
      localEnds.append(shown)
    }
    self.starts = starts
    self.offsets = offsets
    self.localEnds = localEnds
  }

  /// 1999-12-01, and 2041-02-01 a little later than the years that are promised.
  private static let firstSecond: Int64 = 944_006_400
  private static let lastSecond: Int64 = 2_242_512_000
  /// Shorter than any two changes of a zone that undo each other are apart.
  private static let step: Int64 = 5 * 86_400

  /// The period in which `instant` lies.
  ///
  /// - Complexity: O(log periods).
  func period(at instant: Int64) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    return low
  }

  /// What a wall clock shows at `instant`, in microseconds since 1970-01-01 00:00 on it.
  func local(_ instant: Int64) -> Int64 { instant + offsets[period(at: instant)] }

  /// The date on a wall at `instant`.
  func day(of instant: Int64) -> Int32 { Self.day(local(instant)) }

  /// The date of a local time.
  static func day(_ local: Int64) -> Int32 {
    let (quotient, remainder) = local.quotientAndRemainder(dividingBy: microsecondsPerDay)
    return Int32(truncatingIfNeeded: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The first instant, `start` or later, at which a wall clock shows `local` or a later time.
  func firstInstant(showing local: Int64, from start: Int64) -> Int64 {
    var index = period(at: start)
    while true {
      let begin = max(start, starts[index])
      let instant = max(begin, local - offsets[index])
      guard index + 1 < starts.count, instant >= starts[index + 1] else { return instant }
      index += 1
    }
  }
}
