import GRDB
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try read { db in
      let statement = try RawStatement(ReadingStatement.listSenderDays, on: db)
      statement.bind(days.lowerBound, at: 1)
      statement.bind(days.upperBound, at: 2)
      statement.bind(limit, at: 3)
      var senders = SenderDays(days)
      var (person, number) = ([UInt8](), -1)
      try statement.forEachRow { row in
        let id = row.utf8(1)
        if !id.elementsEqual(person) { (person, number) = (Array(id), number + 1) }
        senders.add(number, row.utf8(0))
      }
      return senders.counts
    }
  }

  public func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try read { db in
      let statement = try RawStatement(ReadingStatement.listDoseSenderTimes, on: db)
      statement.bind(days.lowerBound.midnight, at: 1)
      statement.bind((days.upperBound + 1).midnight, at: 2)
      statement.bind(limit, at: 3)
      var senders = SenderDays(days)
      try statement.forEachRow { senders.add($0.int(1), $0.utf8(0)) }
      return senders.counts
    }
  }
}

/// The days on which each of some persons has a row, whatever the order and number of the rows.
///
/// Counting them here takes a fifth of the time that SQLite takes to sort them.
private struct SenderDays {
  private let days: ClosedRange<Day>
  private let dayCount: Int
  /// By person, then by day.
  private var isThere: [Bool] = []

  init(_ days: ClosedRange<Day>) {
    self.days = days
    dayCount = days.upperBound - days.lowerBound + 1
  }

  /// Adds a row of the person with a number, from 0.
  ///
  /// - Parameter text: Begins with the date.
  mutating func add(_ person: Int, _ text: UnsafeBufferPointer<UInt8>) {
    guard let day = Day(utf8: UnsafeBufferPointer(rebasing: text.prefix(10))), days.contains(day)
    else { return }
    let end = (person + 1) * dayCount
    if isThere.count < end {
      isThere += repeatElement(false, count: end - isThere.count)
    }
    isThere[person * dayCount + (day - days.lowerBound)] = true
  }

  /// By day with a row, the persons with one.
  var counts: [Day: Int] {
    var counts: [Day: Int] = [:]
    for place in isThere.indices where isThere[place] {
      counts[days.lowerBound + place % dayCount, default: 0] += 1
    }
    return counts
  }
}
