import TestSupport
import Testing

@testable import VigilReport

@Suite struct ProgressBarTests {
  @Test func barGrowsWithTheWork() {
    #expect(
      ProgressBar.line(label: "Importing", done: 0, total: 200, elapsed: 3, width: 50)
        == "Importing [................................]   0 %")
    #expect(
      ProgressBar.line(label: "Importing", done: 50, total: 200, elapsed: 10, width: 50)
        == "Importing [#####................]  25 %  30 s left")
    #expect(
      ProgressBar.line(label: "Importing", done: 200, total: 200, elapsed: 40, width: 50)
        == "Importing [################################] 100 %")
  }

  @Test func estimateGoesFromSecondsToHours() {
    func line(_ elapsed: Double) -> String {
      ProgressBar.line(label: "A", done: 1, total: 11, elapsed: elapsed, width: 80)
    }
    #expect(line(5).hasSuffix("50 s left"))
    #expect(line(30).hasSuffix("5 min left"))
    #expect(line(600).hasSuffix("1 h 40 min left"))
    #expect(!line(0.5).contains("left"), "half a second is no basis for an estimate")
  }

  @Test func unknownTotalShowsACount() {
    #expect(
      ProgressBar.line(label: "Reading", done: 12_345, total: 0, elapsed: 9, width: 80)
        == "Reading 12,345")
  }

  @Test func lineFitsWhateverItIsGiven() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let width = Int.random(in: 0...120, using: &random)
      let total = Int.random(in: -5...1_000_000, using: &random)
      let done = Int.random(in: -5...2_000_000, using: &random)
      let elapsed = Double.random(in: 0...1e6, using: &random)
      let line = ProgressBar.line(
        label: "Backfilling", done: done, total: total, elapsed: elapsed, width: width)
      #expect(line.count <= width, "done \(done) total \(total) elapsed \(elapsed)")
      #expect(!line.contains("\n"))
    }
  }

  @Test func whatWasDoneBeforeDoesNotMakeItFaster() {
    // 10 of 60 in 5 s: the 40 of before came for nothing.
    let line = ProgressBar.line(
      label: "Backfilling", done: 50, total: 100, start: 40, elapsed: 5, width: 60)
    #expect(line.hasSuffix("50 %  25 s left"))
  }
}
