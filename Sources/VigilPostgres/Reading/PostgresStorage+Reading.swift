public import Foundation
public import VigilModel
import VigilSQL
public import VigilStorage

extension PostgresStorage {
  public func persons(withDataIn days: ClosedRange<Day>) throws -> [UUID] {
    let hasMedications = try hasMedications()
    let parameters = Parameters {
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
      if hasMedications {
        $0.put(days.lowerBound.midnight)
        $0.put((days.upperBound + 1).midnight)
      }
    }
    let persons = try withConnection(table: "users") { connection in
      let (name, fillings): (DoseStatement, SQLFillings) =
        hasMedications
        ? try Self.personsWithMedications(on: connection, database: displayName)
        : (.listPersonsWithMeasurements, [:])
      return try connection.rows(name, parameters, fillings, database: displayName) {
        try $0.uuid()
      }
    }
    // A view may name a person twice; such rows follow each other.
    return try addPersonsWithProvisionalAlerts(
      to: addPersonsWithCheckIns(
        on: days, to: persons.reduce(into: []) { if $0.last != $1 { $0.append($1) } }))
  }

  /// The query for persons with measurements, doses or schedules.
  static func personsWithMedications(
    on connection: Connection, database: String
  ) throws -> (DoseStatement, SQLFillings) {
    let (doses, fillings) = try medicationFillings(
      on: connection, database: database, from: .parameter(3), to: .parameter(4))
    return ((doses.ways.last ?? .together).listingPersons, fillings)
  }

  /// The search for doses, and the fillings of statements about all persons with medications.
  ///
  /// A column that a table or view of an app does not have counts as NULL.
  static func medicationFillings(
    on connection: Connection, database: String, from first: SQLExpression, to last: SQLExpression
  ) throws -> (doses: DoseSelect, fillings: SQLFillings) {
    func select(_ table: InputTable) throws -> MedicationSelect {
      try MedicationSelect(table, on: connection, database: database)
    }
    let (medications, schedules) = try (select(.medications), select(.schedules))
    let doses = try DoseSelect(select(.doseHistory))
    var fillings = doses.fillings(from: first, to: last)
    fillings["is_deleted"] = .expression(medications.expression(for: "is_deleted"))
    fillings["medication_is_active"] = .expression(medications.expression(for: "is_active"))
    fillings["medication_end"] = .expression(medications.expression(for: "end_date"))
    fillings["schedule_is_active"] = .expression(schedules.expression(for: "is_active"))
    fillings["schedule_end"] = .expression(schedules.expression(for: "end_date"))
    return (doses, fillings)
  }

  public func metricColumns() throws -> MetricColumns {
    try withConnection { connection in
      MetricColumns(
        try connection.columns(of: MetricCopy.table),
        isView: try !connection.isTable(MetricCopy.table), numericType: "double precision",
        isNumeric: MetricCopy.isNumeric)
    }
  }
}
