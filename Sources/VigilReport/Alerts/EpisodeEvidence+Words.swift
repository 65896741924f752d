import Foundation
import VigilModel

extension EpisodeEvidence {
  /// The window, the evidence with its threshold, and the shift: `9 days: z 5.12 (needs 4.28), 1.4 spreads`.
  var shortText: String {
    "\(windowText): z \(Self.text(z)) (needs \(Self.text(threshold))),"
      + " \(Self.text(shift, places: 1)) spreads"
  }

  /// The lines about it where one alert is shown.
  var pairs: [(String, String)] {
    [
      ("Opened", openedOn.description),
      ("Evidence", "z \(Self.text(z)) over \(windowText), \(Self.text(threshold)) needed"),
      ("Shift", "\(Self.text(shift, places: 1)) personal spreads"),
    ]
  }

  private var windowText: String { NumberText.count(windowDays, "day") }

  static func text(_ value: Double, places: Int = 2) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    return String(format: "%.\(places)f", value)
  }
}
