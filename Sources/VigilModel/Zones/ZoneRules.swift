/// The offsets of one time zone as a table, with times in microseconds.
///
/// Period `i` lasts from `starts[i]` to before `starts[i + 1]`. Before the first change that the zone's
/// file knows, its first offset holds (RFC 9636 section 3.2). After the last one, the file's own rule goes
/// on to the end of the year 2100; later, the last offset holds.
///
/// ```swift
/// import VigilZones
///
/// let zones = ZoneCatalog(source: ZoneFolder.system())
/// guard let rules = zones.rules(of: "Europe/Berlin") else { return }
/// // Clocks showed 01:00 when 1970 began in UTC.
/// print(rules.local(0))  // 3600000000
/// ```
public final class ZoneRules: Sendable {
  /// The first instant of each period; that of the first is before all times.
  public let starts: [Int64]
  /// The offset that each period adds to UTC; never a day or more.
  public let offsets: [Int64]
  /// The latest reading of a wall clock up to the end of each period, not included; never decreases.
  public let localEnds: [Int64]
  /// The period at the beginning of each cell of `cellBits` from 1970 on, so that few steps lead from
  /// there to the period of an instant.
  @usableFromInline let cells: [UInt16]

  public static let beforeAll = Int64.min / 4
  public static let afterAll = Int64.max / 4
  public static let microsecondsPerDay: Int64 = 86_400_000_000

  /// A clock that shows UTC.
  public static let utc = ZoneRules(offsetSeconds: 0)

  /// The last year for which the rule at the end of a file is applied.
  static let lastYear = 2100
  /// The first year for which it is, where a file has nothing but a rule.
  private static let firstYear = 1900
  /// Seconds from 1970 that no calendar date comes near; microseconds of them fit 64 bits.
  private static let mostSeconds: Int64 = 1 << 40
  /// A cell is about 51 days.
  @usableFromInline static let cellBits: Int64 = 42

  /// Reads the contents of a compiled zone file.
  public convenience init(file bytes: [UInt8]) throws(TZifError) {
    self.init(try TZif(bytes))
  }

  /// A clock that is always the same number of seconds ahead of UTC, less than a day.
  public convenience init(offsetSeconds: Int) {
    self.init(first: offsetSeconds, changes: [])
  }

  convenience init(_ file: TZif) {
    var first = file.firstOffset
    var changes = file.transitions
    // Some files begin with the creation of the world.
    while let change = changes.first, change.second < -Self.mostSeconds {
      first = change.offset
      changes.removeFirst()
    }
    changes.removeAll { $0.second > Self.mostSeconds }
    if let footer = file.footer {
      let last = changes.last?.second
      if last == nil { first = footer.standardOffset }
      let lastDay = Day(ordinal: Int32((last ?? 0) / 86_400))
      let from = last == nil ? Self.firstYear : max(lastDay.components.year - 1, Self.firstYear)
      if from <= Self.lastYear {
        // Summer time that lasts all year ends when it begins; what begins counts.
        let ruled = (from...Self.lastYear).flatMap(footer.changes).enumerated().sorted {
          ($0.element.second, $0.offset) < ($1.element.second, $1.offset)
        }
        changes += ruled.map(\.element).filter { $0.second > last ?? .min }
      }
    }
    self.init(first: first, changes: changes)
  }

  private init(first: Int, changes: [(second: Int64, offset: Int)]) {
    var starts = [Self.beforeAll]
    var offsets = [Int64(first) * 1_000_000]
    for (second, offset) in changes {
      let (start, offset) = (second * 1_000_000, Int64(offset) * 1_000_000)
      if starts[starts.count - 1] == start {
        starts.removeLast()
        offsets.removeLast()
      }
      guard offsets.last != offset else { continue }
      starts.append(start)
      offsets.append(offset)
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
    cells = Self.cells(of: starts)
  }

  private static func cells(of starts: [Int64]) -> [UInt16] {
    guard let last = starts.last, last > 0 else { return [UInt16(starts.count - 1)] }
    var period = 0
    return (0...last >> cellBits).map { cell in
      while period + 1 < starts.count, starts[period + 1] <= cell << cellBits { period += 1 }
      return UInt16(period)
    }
  }
}

// MARK: Clocks

extension ZoneRules {
  /// The period that `instant` is in.
  ///
  /// - Complexity: O(1) from 1970 on, O(log periods) before.
  @inlinable
  public func period(at instant: Int64) -> Int {
    guard instant >= 0 else { return earlyPeriod(at: instant) }
    let cell = min(Int(truncatingIfNeeded: instant >> Self.cellBits), cells.count - 1)
    var period = Int(cells[cell])
    while period + 1 < starts.count, starts[period + 1] <= instant { period += 1 }
    return period
  }

  @usableFromInline
  func earlyPeriod(at instant: Int64) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= instant { low = middle } else { high = middle }
    }
    return low
  }

  /// The reading of a wall clock at `instant`, in microseconds since 1970-01-01 00:00 on it.
  @inlinable
  public func local(_ instant: Int64) -> Int64 { instant + offsets[period(at: instant)] }

  /// The date on a wall at `instant`.
  @inlinable
  public func day(of instant: Int64) -> Int32 { Self.day(local(instant)) }

  /// The date of a local time.
  @inlinable
  public static func day(_ local: Int64) -> Int32 {
    let (quotient, remainder) = local.quotientAndRemainder(dividingBy: microsecondsPerDay)
    return Int32(truncatingIfNeeded: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The first instant, `start` or later, at which a wall clock shows `local` or a later time.
  @inlinable
  public func firstInstant(showing local: Int64, from start: Int64) -> Int64 {
    var index = period(at: start)
    while true {
      let begin = max(start, starts[index])
      let instant = max(begin, local - offsets[index])
      guard index + 1 < starts.count, instant >= starts[index + 1] else { return instant }
      index += 1
    }
  }

  /// The first change of the clock after `instant`; nil where there is none.
  public func nextChange(after instant: Int64) -> Int64? {
    let next = period(at: instant) + 1
    return next < starts.count ? starts[next] : nil
  }
}

extension ZoneRules: Hashable {
  /// Whether two zones' clocks always show the same.
  public static func == (left: ZoneRules, right: ZoneRules) -> Bool {
    left === right || left.starts == right.starts && left.offsets == right.offsets
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(starts.count)
    hasher.combine(offsets.last)
  }
}
