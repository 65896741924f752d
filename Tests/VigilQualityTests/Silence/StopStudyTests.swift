import Testing
import VigilAnalysis
import VigilDetection
import VigilLaboratory

@testable import vigil_quality

@Suite struct StopStudyTests {
  @Test func aStopIsFoundByTheHabit() async throws {
    var thresholds = Thresholds(version: "silence", digest: "", metrics: [])
    thresholds.inactivity = InactivitySettings()
    let detector = try #require(SilenceDetector("silence", thresholds: thresholds))
    var medians: [Double] = []
    for kind in [WearHabit.Kind.always, .weekends, .pausing] {
      let corpus = await WearCorpus(
        kind.habit, seed: 12, people: 500..<600, dayCount: 290, stop: { 200 + $0 % 28 })
      let delays = await StopStudy(corpus, detector: detector).delays
      #expect(delays.count == 100)
      // A person who never paused is missed first; no one after more than 21 days.
      #expect(delays.found == 100)
      medians.append(delays.median.estimate)
    }
    #expect(medians[0] == 4)
    #expect(medians[1] == 4)
    #expect((5...14).contains(medians[2]), "\(medians[2])")
  }
}
