import VigilLaboratory

/// A detector whose false alarms become fewer as a number of each metric rises.
protocol TunableDetector: EpisodeDetector {
  /// One for each metric.
  var thresholds: [Double] { get set }
}
