public import Foundation
public import VigilAlerts
import VigilModel

/// The output of `vigil person settings`: what persons have chosen about calls, and whether it has an effect.
public struct EscalationSettingsReport: Sendable {
  private let settings: [EscalationSetting]
  private let calls: EscalationSetting.SenderCalls
  private let externalIDs: [UUID: String]

  /// - Parameters:
  ///   - settings: The choices, in order of person and level.
  ///   - calls: The calls of the senders.
  ///   - externalIDs: The ids of persons in the system their data come from.
  public init(
    _ settings: [EscalationSetting], under calls: EscalationSetting.SenderCalls,
    externalIDs: [UUID: String]
  ) {
    self.settings = settings
    self.calls = calls
    self.externalIDs = externalIDs
  }

  private var columns: [ExportColumn<EscalationSetting>] {
    [
      .uuid("user_id", "The person.") { $0.person },
      .integer("level", "The level of alerts.") { $0.level.rawValue },
      .integer("window_minutes", "Minutes until the next call; empty for no calls.") {
        $0.choice.minutes
      },
      .text("idle_because", "The reason why it has no effect.") {
        $0.idleness(under: calls)?.rawValue
      },
    ]
  }
}

extension EscalationSettingsReport: ListReport {
  public func text(style: TextStyle) -> String {
    guard !settings.isEmpty else {
      return "No choice about calls is recorded: the windows of the senders hold.\n"
    }
    var table = TextTable([
      .init("Person"), .init("Level", .right), .init("Next call after", .right), .init("Effect"),
    ])
    table.rows = settings.map { setting in
      [
        PersonText.cell(setting.person, externalIDs), .init("\(setting.level.rawValue)"),
        .init(setting.choice.minutes.map { "\($0) min" } ?? "never"),
        .init(setting.idleness(under: calls).map { "none: \($0.words)" } ?? "yes"),
      ]
    }
    let known =
      calls == .unknown
      ? "Whether senders make calls is not known here: no providers file is named (--providers).\n"
      : ""
    return table.render(style) + "\nAt a level without a row the window of the senders holds.\n"
      + known
  }

  public func csv() -> String { RowEncoder(columns, as: .csv).text(of: settings) }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "settings": settings.map { setting -> JSONFields in
        [
          "person": setting.person,
          "level": setting.level.rawValue,
          // Null for no calls.
          "window_minutes": setting.choice.minutes,
          "idle_because": setting.idleness(under: calls)?.rawValue,
        ]
      }
    ]
    try fields.encode(to: encoder)
  }
}

extension EscalationSetting.Idleness {
  var words: String {
    switch self {
    case .noCalls: "the senders make no calls"
    case .noOne: "no one can be called"
    }
  }
}
