import TestDatabases
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// The alerts about medications that a batch has read, against a reading for each day.
@Suite struct MedicationAlertsTests {
  @Test(arguments: DatabaseKind.allCases)
  func theAlertsSinceADayAreThoseThatTheDatabaseHasSinceThen(kind: DatabaseKind) throws {
    let database = try StoppedMedications(seed: 7).database(kind)
    let days = (StoppedMedications.start + 25)...(StoppedMedications.start + 95)
    try database.run(days, thresholds: BatchDatabase.thresholds("v3"))
    let reader = try database.storage.makeReader()
    let persons = StoppedMedications.Person.allCases.map(\.id)
    let alerts = try MedicationAlerts(of: persons, touchedSince: days.lowerBound, from: reader)
    var counts: Set<Int> = []
    for day in days {
      let expected = try reader.alertStatesOfMedications(of: persons, touchedSince: day)
      #expect(alerts.touched(since: day) == expected, "\(day)")
      counts.insert(expected.count)
    }
    #expect(counts.count > 1, "no alert ends before the last day")
    #expect(alerts.touched(since: days.lowerBound - 1) == nil)
  }
}
