import VigilAnalysis
import VigilLaboratory

/// The silent days after which people who have stopped wearing their device are reported.
struct StopStudy: Sendable {
  let delays: Delays

  init(_ corpus: WearCorpus, detector: SilenceDetector) async {
    let found = await corpus.episodes(of: detector)
    var delays: [Int?] = []
    for (stop, episodes) in zip(corpus.stops, found) {
      guard let stop else { continue }
      let opened = episodes.lazy.map(\.opened).filter { $0 >= stop }.min()
      delays.append(opened.map { $0 - stop + 1 })
    }
    self.delays = Delays(delays)
  }
}
