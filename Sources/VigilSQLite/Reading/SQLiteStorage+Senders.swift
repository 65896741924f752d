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
      // Counted here, as SQLite would take five times as long to sort them.
      var senders = SenderCount(over: days)
      var (person, number) = ([UInt8](), -1)
      try statement.forEachRow { row in
        let id = row.utf8(1)
        if !id.elementsEqual(person) { (person, number) = (Array(id), number + 1) }
        senders.add(person: number, row.utf8(0))
      }
      return senders.byDay
    }
  }

  public func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try read { db in
      let statement = try RawStatement(ReadingStatement.listDoseSenderTimes, on: db)
      statement.bind(days.lowerBound.midnight, at: 1)
      statement.bind((days.upperBound + 1).midnight, at: 2)
      statement.bind(limit, at: 3)
      var senders = SenderCount(over: days)
      try statement.forEachRow { senders.add(person: $0.int(1), $0.utf8(0)) }
      return senders.byDay
    }
  }
}

extension SenderCount {
  /// Adds a row of the person with a number, from 0.
  ///
  /// - Parameter text: Begins with the date.
  fileprivate mutating func add(person: Int, _ text: UnsafeBufferPointer<UInt8>) {
    guard let day = Day(utf8: UnsafeBufferPointer(rebasing: text.prefix(10))) else { return }
    add(person: person, day)
  }

  /// By day with a row, the persons with one.
  fileprivate var byDay: [Day: Int] {
    Dictionary(uniqueKeysWithValues: zip(days, counts).filter { $0.1 > 0 })
  }
}
