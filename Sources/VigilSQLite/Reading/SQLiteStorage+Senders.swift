import GRDB
public import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  /// Counts rows as they come, person by person; a day of a person can have several.
  public func sendersByDay(in days: ClosedRange<Day>, limit: Int) throws -> [Day: Int] {
    try read { db in
      let statement = try RawStatement(ReadingStatement.listSenderDays, on: db)
      statement.bind(days.lowerBound, at: 1)
      statement.bind(days.upperBound, at: 2)
      statement.bind(limit, at: 3)
      let dayCount = days.upperBound - days.lowerBound + 1
      var counts = Array(repeating: 0, count: dayCount)
      // By day: the number of the last person who has it, from 1.
      var lastPersons = counts
      var person: (id: [UInt8], number: Int) = ([], 0)
      try statement.forEachRow { row in
        guard let day = Day(utf8: row.utf8(0)), days.contains(day) else { return }
        let id = row.utf8(1)
        if !id.elementsEqual(person.id) { person = (Array(id), person.number + 1) }
        let place = day - days.lowerBound
        guard lastPersons[place] != person.number else { return }
        lastPersons[place] = person.number
        counts[place] += 1
      }
      return Dictionary(
        uniqueKeysWithValues: counts.enumerated().compactMap { place, count in
          count > 0 ? (days.lowerBound + place, count) : nil
        })
    }
  }
}
