import Testing
import VigilModel

@testable import VigilCharts

/// Minutes are drawn and said with hours where the strip says so.
@Suite struct SeriesStripDurationsTests {
  private func strip(_ values: [Double]) -> SeriesStrip {
    let last = SeriesStripTests.last
    var strip = SeriesStrip(
      label: "sleep", unit: "", days: last - (values.count - 1)...last,
      readings: values.map { .value($0) })
    strip.isDuration = true
    return strip
  }

  private func ticks(_ values: [Double]) -> [String] {
    let strip = strip(values)
    let scale = strip.scale(holding: values)
    return scale.ticks.map { strip.text(ofTick: $0, on: scale) }
  }

  @Test func ticksAreWholeOrHalfHoursWhereTheyFit() {
    #expect(ticks([250, 500]) == ["6 h", "8 h"])
    #expect(ticks([85, 125]) == ["1.5 h", "2 h"])
    #expect(ticks([31, 52]) == ["40 min", "50 min"])
    #expect(ticks([3, 9]).allSatisfy { $0.hasSuffix(" min") })
    for low in stride(from: 0.0, to: 700, by: 13) {
      for length in [7.0, 15, 40, 90, 333, 900] {
        let found = ticks([low, low + length])
        #expect(found.count >= 2 && Set(found).count == found.count, "\(low), \(length): \(found)")
      }
    }
  }

  @Test func readersOfTheTextHearHours() {
    var strip = strip([412, 420, 415, 405, 300, 297, 290])
    strip.usual = .init(value: 412)
    let description = strip.description
    #expect(description.contains("4 h 50 min") && description.contains("7 h"), "\(description)")
    #expect(strip.drawing.file.contains(">6 h 52 min<"))
    #expect(strip.terminalText().contains("usual 6 h 52 min"))
  }
}
