import VigilAnalysis
import VigilLaboratory

/// The changes of doses that a profile finds, and when.
struct DoseChangeStudy: Sendable {
  let delays: Delays

  init(_ corpus: DoseCorpus, detector: DoseDetector) async {
    let found = await corpus.episodes(of: detector)
    var delays: [Int?] = []
    for (change, episodes) in zip(corpus.changes, found) {
      guard let change else { continue }
      let opened = episodes.lazy.map(\.opened).filter { change.days.contains($0) }.min()
      delays.append(opened.map { $0 - change.onset + 1 })
    }
    self.delays = Delays(delays)
  }
}
