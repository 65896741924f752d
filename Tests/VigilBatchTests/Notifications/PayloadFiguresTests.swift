import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilAlerts
import VigilDetection
import VigilModel
import VigilStorage

/// Payloads of the sample's notifications, against their own figures.
@Suite struct PayloadFiguresTests {
  @Test(arguments: ["v1", "v2", "v3"], DatabaseKind.allCases)
  func payloadsSayWhatTheFiguresShow(profile: String, kind: DatabaseKind) throws {
    let database = try BatchDatabase(kind)
    try database.importFiles(
      of: SharedFolder.repository.appending(path: "datasets/sample"))
    let days = try #require(try database.storage.metricDays())
    let thresholds = try BatchDatabase.thresholds(profile)
    try database.run(days, thresholds: thresholds)
    let rows = try database.storage.notifications(
      matching: NotificationFilter(queue: .shadow), limit: nil)
    var said: Set<String> = []
    for row in rows {
      let payload = try JSONDecoder().decode(AlertPayload.self, from: Data(row.payload.utf8))
      guard case .standard(let alert) = payload else {
        Issue.record("\(row.payload)")
        continue
      }
      said.insert("\(alert.pattern)")
      // Shadow notifications are planned on the day that reaches the level, and no later.
      #expect(alert.durationDays == alert.evaluatedEndDate - alert.activeSince + 1)
      if alert.metric != .inactivity, alert.medication == nil, alert.windowDays == nil {
        #expect(alert.durationDays >= alert.level.rawValue)
      }
      switch (alert.direction, alert.belowLimit) {
      case (.lower?, let limit):
        #expect(alert.pattern == .drop && limit == nil)
        #expect((alert.deviation ?? -1) < 0)
      case (.higher?, let limit):
        #expect(alert.pattern == .rise && limit == nil)
        #expect((alert.deviation ?? 1) > 0)
      case (nil, let limit?):
        #expect(thresholds.limits[alert.metric] == limit)
        #expect((alert.deviation ?? 1) > -ValueChange.usualShare)
      case (nil, nil):
        #expect(![.drop, .rise].contains(alert.pattern), "\(row.payload)")
      }
      #expect((alert.openedOn == nil) == (alert.windowDays == nil))
      if let opened = alert.openedOn {
        #expect((alert.activeSince...alert.evaluatedEndDate).contains(opened))
      }
    }
    #expect(said.count > 2, "\(said)")
  }
}
