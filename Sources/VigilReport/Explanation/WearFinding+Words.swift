import VigilDetection

extension WearFinding {
  /// Whether the device was worn, and why that is thought.
  var words: String {
    let state =
      switch wear {
      case .noRow: "no data"
      case .notWorn: "not worn"
      case .partWorn: "worn for a part of the day"
      case .worn: "worn"
      }
    return reason.map { "\(state): \($0.words)" } ?? state
  }
}

extension WearFinding.Reason {
  fileprivate var words: String {
    switch self {
    case .nothingPositive: "no value above 0"
    case .still: "no steps or movement, and no heart rate, breath or restless sleep"
    case .minutes(let minutes): "\(NumberText.value(minutes)) min by the device itself"
    case .fewSteps(let steps, let usual):
      "\(NumberText.value(steps)) steps (usually \(NumberText.value(usual))), no resting heart rate"
    case .noMovement: "no movement and no resting heart rate"
    }
  }
}
