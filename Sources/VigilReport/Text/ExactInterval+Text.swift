import VigilAnalysis

extension ExactInterval {
  /// `0.86 [0.81, 0.90]`.
  var text: String {
    "\(NumberText.decimals(estimate)) [\(NumberText.decimals(lower)), \(NumberText.decimals(upper))]"
  }
}
