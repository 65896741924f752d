import VigilDetection
import VigilLaboratory

/// A profile of means with every rule multiplied, so that it can be compared at another rate of false alarms.
///
/// A factor of 2 makes "drop of 25 %" a drop of 50 % and "below 85" a mean below 42.5.
struct ScaledProfileDetector: TunableDetector {
  let profile: ProfileDetector
  /// The factors.
  var thresholds: [Double]

  init(_ profile: ProfileDetector) {
    self.profile = profile
    thresholds = profile.metrics.map { _ in 1 }
  }

  var name: String { profile.name }

  func makeWorker() -> any EpisodeDetectorWorker {
    var scaled = profile
    for (index, factor) in thresholds.enumerated() {
      for rule in scaled.metrics[index].rules.indices {
        if scaled.metrics[index].rules[rule].kind == .absoluteDropBelow {
          scaled.metrics[index].rules[rule].threshold /= factor
        } else {
          scaled.metrics[index].rules[rule].threshold *= factor
        }
      }
    }
    return scaled.makeWorker()
  }
}
