import VigilModel

extension Episode.Resolution.Reason {
  /// The words after "resolved" and its day.
  var words: String {
    switch self {
    case .recalibrated: "another device measures"
    case .left: "the person has left"
    case .limitEnded: "no limit holds any more"
    case .recovered, .superseded, .noData, .rebased, .retracted, .profileChanged:
      rawValue.replacing("_", with: " ")
    }
  }
}
