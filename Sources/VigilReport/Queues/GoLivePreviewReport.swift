public import Foundation
public import VigilModel

/// The output of `vigil golive --dry-run`: the alerts that would count as notified without a notification.
public struct GoLivePreviewReport: Sendable {
  /// The name of the database in messages.
  public let database: String
  /// The gravest first.
  public let alerts: [PatternAlertState]
  let externalIDs: [UUID: String]
  let limits: AlertLimits

  /// - Parameters:
  ///   - database: The name of the database in messages.
  ///   - alerts: Active alerts with a level that no one was notified of, in any order.
  ///   - externalIDs: The ids of persons in the system their data come from.
  ///   - limits: The absolute limits of their profiles.
  public init(
    database: String, alerts: [PatternAlertState], externalIDs: [UUID: String] = [:],
    limits: AlertLimits = AlertLimits()
  ) {
    self.database = database
    self.alerts = alerts.ranked
    self.externalIDs = externalIDs
    self.limits = limits
  }
}

extension GoLivePreviewReport: Report {
  public func text(style: TextStyle) -> String {
    guard !alerts.isEmpty else {
      return "No active alert is at a level that no one was notified of"
        + " (\(database.terminalSafe)).\n"
    }
    var table = TextTable([
      .init("Alert", rank: 1), .init("Person"), .init("Level", .right), .init("What"),
    ])
    table.rows = alerts.map { alert in
      [
        .init(alert.id.shortened), PersonText.cell(alert.series.user, externalIDs),
        .init(String(alert.episode.level.rawValue)),
        .init(alert.sentence(limits), short: alert.headline(limits)),
      ]
    }
    let count = NumberText.count(alerts.count, "active alert")
    return table.render(style)
      + "\n\(count): families will not be notified of the present level of any of them. Nothing was"
      + " changed.\n"
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "alerts": alerts.map { $0.fields(externalIDs, course: nil, limits: limits) },
    ]
    try fields.encode(to: encoder)
  }
}
