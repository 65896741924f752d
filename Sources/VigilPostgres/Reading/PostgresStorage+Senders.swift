public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try counts(ReadingStatement.countSendersByDay, days.lowerBound, days.upperBound, limit)
  }

  public func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try counts(
      ReadingStatement.countDoseSendersByDay, days.lowerBound.midnight,
      (days.upperBound + 1).midnight, limit)
  }

  private func counts(
    _ name: ReadingStatement, _ first: any SQLConvertible, _ last: any SQLConvertible, _ limit: Int
  ) throws -> [Day: Int] {
    try withSession { session in
      let found = try session.rows(name, first, last, limit) { (try $0.day(), try $0.int()) }
      return Dictionary(found) { first, _ in first }
    }
  }
}
