import VigilDetection
import VigilModel

/// The days on which what brings the rows of all persons in was broken (specification, silence.md section 6 and
/// evidence-doses.md section 8).
struct BrokenDays {
  var observations: Set<Day> = []
  var doses: Set<Day> = []
}

/// By day, the persons with a row, as a run counts them.
struct SenderCount {
  private let days: ClosedRange<Day>
  private var counts: [Int]
  /// By day, the number of the last person with a row, from 1.
  private var lastPersons: [Int]
  private var persons = 0

  init(over days: ClosedRange<Day>) {
    self.days = days
    counts = Array(repeating: 0, count: days.upperBound - days.lowerBound + 1)
    lastPersons = counts
  }

  var history: FeedHistory { FeedHistory(days: days, counts: counts) }

  /// Whether no more persons are looked at.
  var isFull: Bool { persons == FeedHistory.mostPersons }

  mutating func beginPerson() { persons += 1 }

  /// Counts a row of the person who was begun last.
  mutating func add(_ day: Day) {
    guard days.contains(day) else { return }
    let place = day - days.lowerBound
    guard lastPersons[place] != persons else { return }
    lastPersons[place] = persons
    counts[place] += 1
  }
}
