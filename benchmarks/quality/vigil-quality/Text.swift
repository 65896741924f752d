import Foundation
import VigilAnalysis
import VigilLaboratory

extension Double {
  /// The number with this many decimals; `-` for none and `∞` for infinity.
  func text(_ decimals: Int) -> String {
    if isNaN { return "-" }
    if isInfinite { return "∞" }
    return String(format: "%.\(decimals)f", self)
  }
}

extension ExactInterval {
  /// `0.86 [0.81, 0.90]`.
  func text(_ decimals: Int) -> String {
    "\(estimate.text(decimals)) [\(lower.text(decimals)), \(upper.text(decimals))]"
  }
}
