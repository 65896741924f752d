public import Foundation
import GRDB
public import VigilModel
import VigilSQL
public import VigilStorage

extension SQLiteStorage {
  public func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    let persons = try read { db in
      let hasMedications = try SQLiteSession(db: db, file: file).hasMedications()
      let query = try RawStatement(
        hasMedications
          ? ReadingStatement.listPersonsWithData : .listPersonsWithMeasurements, on: db)
      query.put(days.lowerBound)
      query.put(days.upperBound)
      if hasMedications {
        let times = days.lowerBound.midnight...(days.upperBound + 1).midnight
        DoseSearch(times: times).bind(to: query, from: 3)
      }
      var persons: [UUID] = []
      try query.forEachRow { row in
        var row = RowDecoder(row, of: "users", in: file)
        try persons.append(row.uuid())
      }
      return persons
    }
    return try addPersonsWithProvisionalAlerts(
      to: addPersonsWithCheckIns(on: days, to: persons))
  }

  public func metricColumns() throws -> MetricColumns {
    try read { try MetricQuery.columns(on: $0) }
  }
}
