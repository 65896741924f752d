public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try withSession { session in
      let found = try session.rows(
        ReadingStatement.countSendersByDay, days.lowerBound, days.upperBound, limit
      ) { (try $0.day(), try $0.int()) }
      return Dictionary(found) { first, _ in first }
    }
  }
}
