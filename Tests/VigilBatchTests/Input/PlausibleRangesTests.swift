import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

/// The ranges of v1 keep out what no body has, and decide nothing about real data.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.absenceNote)))
struct PlausibleRangesTests {
  @Test(arguments: ["lifesnaps", "welltory_covid", "fitbit2016"])
  func rangesOfV1ChangeNoAlert(dataset: String) throws {
    let folder = try #require(SharedFolder.url("datasets/\(dataset)"))
    let database = try BatchDatabase(.sqlite)
    try database.importFiles(of: folder)
    let shipped = try BatchDatabase.thresholds("v1")
    #expect(shipped.metrics.allSatisfy { $0.plausible != nil })
    var without = shipped
    for index in without.metrics.indices { without.metrics[index].plausible = nil }
    let alerts = try alerts(of: shipped, in: database.copy())
    #expect(alerts.count > 50)
    #expect(try self.alerts(of: without, in: database.copy()) == alerts)
  }

  private func alerts(of thresholds: Thresholds, in database: BatchDatabase) throws -> [String] {
    let days = try #require(try database.storage.metricDays())
    let run = try database.run(days, thresholds: thresholds)
    #expect(run.counts.valuesRejected == 0)
    return try database.storage.alertStates(matching: AlertFilter()).map {
      "\($0.series) \($0.episode) \($0.shadowNotifiedLevel?.rawValue ?? 0)"
    }.sorted()
  }
}
