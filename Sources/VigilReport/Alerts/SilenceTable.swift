import Foundation
import VigilModel

/// Persons without data: the active alerts of silence, apart from those who need attention (specification, silence.md
/// section 5).
struct SilenceTable {
  private let alerts: [PatternAlertState]
  private let left: Int
  private let externalIDs: [UUID: String]

  /// - Parameters:
  ///   - alerts: Active alerts of silence, in the order in which they are shown.
  ///   - left: The number of persons who have left.
  ///   - externalIDs: The ids of persons in the system their data come from.
  init(_ alerts: [PatternAlertState], left: Int, externalIDs: [UUID: String]) {
    self.alerts = alerts
    self.left = left
    self.externalIDs = externalIDs
  }

  /// Empty where there is nothing to say.
  func text(_ style: TextStyle) -> String {
    let note = Self.note(left: left).map { $0 + "\n" } ?? ""
    guard !alerts.isEmpty else { return note }
    var table = TextTable([
      .init("No data"), .init("Person"), .init("Last sign"), .init("Silent days", .right),
      .init("Longest pause", .right, rank: 1),
    ])
    table.rows = alerts.map { alert in
      [
        .init(alert.id.shortened), PersonText.cell(alert.series.user, externalIDs),
        .init(alert.lastSign.description), .init(NumberText.count(alert.episode.duration)),
        .init(alert.episode.silence.map { NumberText.count($0.longestPause) } ?? "–"),
      ]
    }
    return table.render(style) + (note.isEmpty ? "" : "\n" + note)
  }

  /// The number of persons who have left, in a sentence; nil where none has.
  static func note(left: Int) -> String? {
    switch left {
    case 0: nil
    case 1: "1 person has left: no data for a month."
    default: "\(NumberText.count(left)) people have left: no data for a month."
    }
  }
}

extension PatternAlertState {
  /// Whether it says that a person gives no sign of life: nothing that calls for attention.
  var isActiveSilence: Bool { series.metric == .inactivity && episode.isActive }

  /// The last day with a sign of life before an alert of silence.
  var lastSign: Day { episode.activeSince - 1 }
}
