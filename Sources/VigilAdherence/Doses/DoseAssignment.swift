import VigilModel

/// Assigns loose records to open doses: the later record to the later dose, as many records as possible, each as near
/// as possible (specification, adherence.md section 2).
///
/// Doses and records are numbered by their places in a *line*: the doses among which the records are assigned, and
/// these records, each in order of time.
struct DoseAssignment {
  /// A dose of the line, open or not.
  struct Dose: BitwiseCopyable {
    /// In microseconds.
    var instant: Int64
    var day: Int32
    var isOpen: Bool
  }

  /// A loose record of the line.
  struct Record: BitwiseCopyable {
    /// In microseconds.
    var time: Int64
    var saysMissed: Bool
  }

  /// An open dose with the records within its reach.
  private struct OpenDose: BitwiseCopyable {
    /// Place in the line.
    var place: Int
    var instant: Int64
    var day: Int32
    /// The first record within reach, and the first one behind them.
    var (first, end): (Int, Int)
    /// The place of its first record in `rest`.
    var offset = 0
  }

  private var open: [OpenDose] = []
  /// The worth that can still be reached behind a dose that takes a record, by dose and record.
  private var rest: [Worth] = []
  /// By record: the worth that can be reached with it and those behind it, by the doses looked at so far.
  private var best: [Worth] = []
  /// By record within reach of the dose behind: the worth that can be reached where that dose takes it or a later one.
  private var behind: [Worth] = []
  /// By record, the place of the dose that it is assigned to; -1 for none.
  private(set) var doses: [Int] = []

  /// Assigns the records of a line.
  ///
  /// - Parameters:
  ///   - line: In order of time; of one time, in order of schedules.
  ///   - records: In order of time; of one time, in the order of logging.
  /// - Complexity: O(doses + records + pairs of an open dose and a record within its reach).
  mutating func assign(_ records: [Record], among line: [Dose]) {
    doses.removeAll(keepingCapacity: true)
    doses.append(contentsOf: repeatElement(-1, count: records.count))
    findReach(of: line, records)
    var first = 0
    while first < open.count {
      var last = first
      while last + 1 < open.count, open[last + 1].first < open[last].end { last += 1 }
      decide(chain: first...last, records)
      first = last + 1
    }
  }

  // MARK: Reach

  private static let hour: Int64 = 3_600_000_000
  /// No dose reaches farther; in microseconds.
  private static let longest = 168 * hour
  /// The way of a dose alone, in microseconds.
  private static let wayOfOne = 24 * hour
  /// From this way on a record may be early by more than half of it, up to as much.
  private static let longWay = 18 * hour

  /// The most that a record may be late for a dose with this way to the next one.
  private static func late(_ way: Int64) -> Int64 { min(longest, way / 4 * 3 + way % 4 * 3 / 4) }

  /// The most that a record may be early for a dose with this way from the one before.
  private static func early(_ way: Int64) -> Int64 {
    let half = way / 2
    return min(longest, way >= longWay ? max(half, min(late(way), longWay)) : half)
  }

  private mutating func findReach(of line: [Dose], _ records: [Record]) {
    open.removeAll(keepingCapacity: true)
    var (first, end) = (0, 0)
    var place = 0
    var before: Int64?
    while place < line.count {
      let instant = line[place].instant
      var next = place
      while next < line.count, line[next].instant == instant { next += 1 }
      let wayBefore = before.map { instant - $0 }
      let wayAfter = next < line.count ? line[next].instant - instant : nil
      let late = Self.late(wayAfter ?? wayBefore ?? Self.wayOfOne)
      let early = Self.early(wayBefore ?? wayAfter ?? Self.wayOfOne)
      while first < records.count, records[first].time < instant - early { first += 1 }
      end = max(end, first)
      while end < records.count, records[end].time <= instant + late { end += 1 }
      for place in place..<next where line[place].isOpen && first < end {
        open.append(
          OpenDose(
            place: place, instant: instant, day: line[place].day, first: first, end: end))
      }
      before = instant
      place = next
    }
  }

  // MARK: Chains

  /// Decides joined doses together; those of more than a week, week by week.
  private mutating func decide(chain: ClosedRange<Int>, _ records: [Record]) {
    let days = open[chain].map(\.day)
    guard let firstDay = days.min(), let lastDay = days.max(), lastDay - firstDay > 7 else {
      return decideTogether(chain, records)
    }
    var start = chain.lowerBound
    for index in chain.dropFirst()
    where Self.week(open[index].day) != Self.week(open[index - 1].day) {
      let (left, right) = (open[index - 1], open[index])
      // A record that both sides could have stays with the nearer.
      var border = right.first
      while border < left.end,
        Self.cost(of: records[border].time, for: left.instant)
          <= Self.cost(of: records[border].time, for: right.instant)
      {
        border += 1
      }
      for before in start..<index { open[before].end = min(open[before].end, border) }
      for after in index...chain.upperBound {
        guard open[after].first < border else { break }
        open[after].first = border
        open[after].end = max(open[after].end, border)
      }
      decideTogether(start...index - 1, records)
      start = index
    }
    decideTogether(start...chain.upperBound, records)
  }

  /// Weeks from Monday to Sunday; day 0 was a Thursday.
  private static func week(_ day: Int32) -> Int32 {
    let days = day + 3
    return days >= 0 ? days / 7 : (days - 6) / 7
  }

  /// The distance in microseconds, of which those before the dose count as two.
  private static func cost(of time: Int64, for instant: Int64) -> Int64 {
    time < instant ? 2 * (instant - time) : time - instant
  }

  // MARK: Decisions

  /// The worth of an assignment; of two, the larger is chosen.
  private struct Worth: Comparable, BitwiseCopyable {
    var notMissed: Int32 = 0
    var assigned: Int32 = 0
    var cost: Int64 = 0

    static func < (left: Worth, right: Worth) -> Bool {
      if left.notMissed != right.notMissed { return left.notMissed < right.notMissed }
      if left.assigned != right.assigned { return left.assigned < right.assigned }
      return left.cost > right.cost
    }

    static func + (left: Worth, right: Worth) -> Worth {
      Worth(
        notMissed: left.notMissed + right.notMissed, assigned: left.assigned + right.assigned,
        cost: left.cost + right.cost)
    }
  }

  private static func worth(of record: Record, for dose: OpenDose) -> Worth {
    Worth(
      notMissed: record.saysMissed ? 0 : 1, assigned: 1,
      cost: cost(of: record.time, for: dose.instant))
  }

  /// Whether records of two doses in a row are far enough apart to be two.
  private static func areApart(
    _ record: Record, of dose: OpenDose, _ later: Record, of next: OpenDose
  ) -> Bool {
    4 * (later.time - record.time) >= next.instant - dose.instant
  }

  /// Decides doses from the last to the first, then follows the best choice from the first on.
  private mutating func decideTogether(_ chain: ClosedRange<Int>, _ records: [Record]) {
    var count = 0
    for index in chain {
      open[index].offset = count
      count += open[index].end - open[index].first
    }
    guard count > 0 else { return }
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: repeatElement(Worth(), count: count))
    let (base, end) = (open[chain.lowerBound].first, open[chain.upperBound].end)
    best.removeAll(keepingCapacity: true)
    best.append(contentsOf: repeatElement(Worth(), count: end - base + 1))
    // Records before this one are worth as much as it, by the doses that `best` knows.
    var known = base
    behind.removeAll(keepingCapacity: true)
    for index in chain.reversed() {
      let dose = open[index]
      // `best` knows the doses from the second behind this one on; a record's own limit holds for the next one.
      var far = 0
      for record in dose.first..<dose.end {
        var worth = best[max(record + 1, known) - base]
        if index < chain.upperBound {
          let next = open[index + 1]
          far = max(far, record + 1 - next.first)
          while far < behind.count,
            !Self.areApart(records[record], of: dose, records[next.first + far], of: next)
          {
            far += 1
          }
          if far < behind.count { worth = max(worth, behind[far]) }
        }
        rest[dose.offset + record - dose.first] = worth
      }
      if index < chain.upperBound { takeIntoBest(open[index + 1], base: base, known: &known) }
      behind.removeAll(keepingCapacity: true)
      behind.append(contentsOf: repeatElement(Worth(), count: dose.end - dose.first))
      var running = Worth()
      for record in (dose.first..<dose.end).reversed() {
        let place = record - dose.first
        running = max(
          running, Self.worth(of: records[record], for: dose) + rest[dose.offset + place])
        behind[place] = running
      }
    }
    takeIntoBest(open[chain.lowerBound], base: base, known: &known)
    follow(chain, records, from: best[known - base])
  }

  /// Adds the dose whose records `behind` holds to what `best` knows.
  private mutating func takeIntoBest(_ dose: OpenDose, base: Int, known: inout Int) {
    for record in (dose.first..<dose.end).reversed() {
      let place = max(record, known) - base
      best[record - base] = max(behind[record - dose.first], best[place])
    }
    known = dose.first
  }

  /// Gives each record, in order, the earliest dose with which the rest can still be worth the most.
  private mutating func follow(
    _ chain: ClosedRange<Int>, _ records: [Record], from most: Worth
  ) {
    var left = most
    var (dose, record) = (chain.lowerBound - 1, -1)
    var first = chain.lowerBound
    for next in open[chain.lowerBound].first..<open[chain.upperBound].end where left > Worth() {
      while first < chain.upperBound, open[first].end <= next { first += 1 }
      var candidate = max(first, dose + 1)
      while candidate <= chain.upperBound, open[candidate].first <= next {
        defer { candidate += 1 }
        let other = open[candidate]
        guard next < other.end else { continue }
        if record >= 0, candidate == dose + 1,
          !Self.areApart(records[record], of: open[dose], records[next], of: other)
        {
          continue
        }
        let rest = rest[other.offset + next - other.first]
        guard Self.worth(of: records[next], for: other) + rest == left else { continue }
        doses[next] = other.place
        (left, dose, record) = (rest, candidate, next)
        break
      }
    }
  }
}
