public import VigilModel
import VigilSQL
import VigilStorage

extension PostgresStorage {
  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try withSession { session in
      Dictionary(
        try session.rows(
          ReadingStatement.countSendersByDay, days.lowerBound, days.upperBound, limit
        ) { (try $0.day(), try $0.int()) }
      ) { first, _ in first }
    }
  }

  public func doseSendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try withConnection { connection in
      let (_, fillings) = try Self.medicationFillings(
        on: connection, database: displayName, from: .parameter(1), to: .parameter(2))
      let parameters = Parameters {
        $0.put(days.lowerBound.midnight)
        $0.put((days.upperBound + 1).midnight)
        $0.put(limit)
      }
      return Dictionary(
        try connection.rows(
          ReadingStatement.countDoseSendersByDay, parameters, fillings, database: displayName
        ) { (try $0.day(), try $0.int()) }
      ) { first, _ in first }
    }
  }
}
