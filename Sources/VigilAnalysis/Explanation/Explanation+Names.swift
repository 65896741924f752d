import VigilDetection
import VigilModel

extension Explanation.Change {
  /// The name in JSON.
  public var name: String {
    switch self {
    case .none: "none"
    case .opened: "opened"
    case .extended: "extended"
    case .escalated: "escalated"
    case .continued: "continued"
    case .superseded: "superseded"
    case .resolved: "resolved"
    }
  }
}

extension Explanation.Judgement {
  /// The name of the reason why a day cannot be judged; nil where it can.
  public var unknownReason: String? {
    switch self {
    case .means(let means):
      guard case .unknown(let reason) = means.evaluation.state else { return nil }
      return reason.rawValue
    case .evidence(let day):
      guard case .unknown(let reason) = day.state else { return nil }
      return reason.rawValue
    case .recovery(let day): return day.shift == nil ? "no_value" : nil
    case .doses(let day):
      guard case .unknown(let reason) = day.state else { return nil }
      return reason.rawValue
    case .doseRecovery(let day): return day.lastObservation == day.day ? nil : "no_value"
    }
  }
}
