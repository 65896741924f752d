import VigilLaboratory

/// Sets the thresholds of a detector so that it raises as many false episodes as another detector.
enum RateMatching {
  private static let factor = 0.75
  private static let halvings = 12

  /// Returns the detector with, for each metric, the least threshold above which it raises at most `counts`
  /// episodes on the corpus.
  ///
  /// Looks downwards from `highest`: far below, all alarms merge into one episode, and few episodes would
  /// then mean an alarm that never ends.
  ///
  /// - Parameters:
  ///   - detector: A peer or a profile.
  ///   - corpus: People in whom nothing changes.
  ///   - counts: The false episodes of each metric to match.
  ///   - highest: A threshold that is hardly ever reached.
  static func matched<Tunable: TunableDetector>(
    _ detector: Tunable, on corpus: Corpus, counts: [Int], highest: Double = 200
  ) async -> Tunable {
    var detector = detector
    // The highest threshold known to raise too many, and the least known to be high enough.
    var low = counts.map { _ in 0.0 }
    var high = counts.map { _ in highest }
    var isBracketed = counts.map { _ in false }
    for _ in 0..<40 {
      detector.thresholds = high.indices.map { isBracketed[$0] ? high[$0] : high[$0] * factor }
      let tallies = await QuietStudy(corpus, detector: detector).metrics
      for metric in counts.indices where !isBracketed[metric] {
        if tallies[metric].episodes > counts[metric] {
          low[metric] = detector.thresholds[metric]
          isBracketed[metric] = true
        } else {
          high[metric] = detector.thresholds[metric]
        }
      }
      if isBracketed.allSatisfy(\.self) { break }
    }
    for _ in 0..<halvings {
      detector.thresholds = zip(low, high).map { ($0 + $1) / 2 }
      let tallies = await QuietStudy(corpus, detector: detector).metrics
      for metric in counts.indices {
        if tallies[metric].episodes > counts[metric] {
          low[metric] = detector.thresholds[metric]
        } else {
          high[metric] = detector.thresholds[metric]
        }
      }
    }
    detector.thresholds = high
    return detector
  }
}
