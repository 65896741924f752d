import Foundation
import GRDB
import VigilModel
import VigilSQL
import VigilStorage

extension SQLiteReader {
  func readScores(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ row: VitalityScore) -> Void
  ) throws -> UnusableRows {
    try read { db in
      var unusable = UnusableRows()
      let table = VitalityScoreRow.table
      let query = try RawStatement(ReadingStatement.listScoresOfPerson, on: db)
      query.bind(days.lowerBound, at: 2)
      query.bind(days.upperBound, at: 3)
      for (person, id) in persons.enumerated() {
        query.bind(id, at: 1)
        try query.forEachRow { row in
          guard let day = Day(utf8: row.utf8(0)) else {
            unusable.addRow(of: table, .impossibleDate, key: [id.lowercased, row.text(0)])
            return
          }
          let score = VitalityScoreRow.make(
            id, day, total: row.double(1), sleep: row.double(2), movement: row.double(3),
            stress: row.double(4), schemaVersion: row.text(5), source: row.text(6))
          guard let score else {
            unusable.addRow(of: table, .impossibleValue, key: [id.lowercased, row.text(0)])
            return
          }
          body(person, score)
        }
      }
      return unusable
    }
  }
}
