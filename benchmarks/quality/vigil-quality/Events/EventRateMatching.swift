import VigilLaboratory

/// Sets a detector so that it raises as many false events as another one.
enum EventRateMatching {
  /// Returns the detector with the least setting at which it raises at most `count` events on the corpus, to the
  /// hundredth.
  ///
  /// - Parameters:
  ///   - corpus: People in whom nothing changes.
  ///   - count: The false events to match.
  ///   - settings: Those to choose from, in hundredths; events become fewer as the setting rises.
  ///   - detector: The detector with a setting.
  static func matched<Detector: EventDetector>(
    on corpus: Corpus, count: Int, settings: ClosedRange<Int>,
    _ detector: (Double) -> Detector
  ) async -> Detector {
    var matching = CountMatching(targets: [count], within: settings)
    while !matching.isDone {
      let study = await QuietEventStudy(
        corpus, detector: detector(Double(matching.values[0]) / 100))
      matching.take([study.events])
    }
    return detector(Double(matching.values[0]) / 100)
  }
}
