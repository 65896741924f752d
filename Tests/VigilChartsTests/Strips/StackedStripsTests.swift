import Foundation
import GoldenFiles
import Testing
import VigilModel

@testable import VigilCharts

@Suite struct StackedStripsTests {
  private static let last = SeriesStripTests.last

  /// An alert of sleep and steps together, and one of steps alone.
  private static func strips(days count: Int = 60) -> StackedStrips {
    let days = (last - (count - 1))...last
    func lane(_ label: String, _ note: String, since: Int, _ seed: Int) -> StackedStrips.Lane {
      let readings: [SeriesStrip.Reading] = (0..<count).map { index in
        let left = count - 1 - index
        switch left {
        case 40 + seed: return .noRow
        case 30: return .notWorn
        default:
          return .value(Double((left * (5 + seed)) % 7) * 0.4 - 1.2 + (left <= since ? 2 : 0))
        }
      }
      var strip = SeriesStrip(
        label: label, unit: "", days: days, readings: readings, workouts: [last - 20],
        episodes: [
          .init(
            activeSince: last - since, openedOn: last - since + 3, pattern: .worse,
            levels: [.init(.day3, on: last - since + 3), .init(.day7, on: last - since + 6)],
            usual: .init(value: 0, band: -1...1))
        ], marks: [.init(.deviceChange, on: last - 50)])
      strip.usual = .init(value: 0, band: -1...1)
      return .init(strip, note: note)
    }
    return StackedStrips(
      title: "Several metrics together", axis: .spreads(limit: 3),
      lanes: [
        lane("sleep", "264 min, usual 425", since: 11, 0),
        lane("steps", "3,510 steps, usual 9,070", since: 11, 1),
        lane("sleep efficiency", "87 %, usual 92", since: 8, 2),
      ], marks: [.init(.sent, on: last - 8), .init(.withheld, on: last - 5)])
  }

  @Test func drawsSeveralMetricsOnOneAxis() throws {
    try expectSnapshot(Self.strips().drawing.file, "stacked-strips.svg")
  }

  @Test func drawsSeveralMetricsInATerminal() throws {
    try expectSnapshot(Self.strips().terminalText(), "stacked-strips.txt")
    let text = Self.strips().terminalText(characters: .ascii)
    let isASCII = text.utf8.allSatisfy { $0 < 128 }
    #expect(isASCII)
  }

  @Test(arguments: [1, 2, 7, 40, 71, 72, 400], [40, 60, 80, 132])
  func keepsToItsWidth(days: Int, width: Int) {
    for characters in [SeriesStrip.TerminalCharacters.braille, .ascii] {
      let lines = Self.strips(days: days).terminalText(width: width, characters: characters)
        .split(separator: "\n")
      let isWithin = lines.allSatisfy { $0.count <= width }
      #expect(isWithin)
      let hasNewest = lines.contains { $0.hasSuffix("28 Jun") }
      #expect(hasNewest)
    }
  }

  @Test func saysInWordsWhatItShows() {
    let description = Self.strips().drawing.description
    #expect(description.hasPrefix("sleep, 264 min, usual 425: 58 of 60 days have a value;"))
    #expect(description.contains("personal spreads worse than usual."))
    // The alert of sleep and steps is one.
    #expect(description.components(separatedBy: "An alert since").count == 3)
    #expect(description.contains("An alert since 17 Jun 2026, at level 7."))
    #expect(
      description.contains("1 change of device. 1 notification sent. 1 notification withheld."))
  }

  /// Each value stands at the same height in each lane, whatever the others hold.
  @Test func lanesHaveOneAxis() {
    func places(_ values: [Double]) -> [String] {
      let strip = SeriesStrip(
        label: "x", unit: "", days: Self.last - (values.count - 1)...Self.last,
        readings: values.map { .value($0) })
      let other = SeriesStrip(
        label: "y", unit: "", days: strip.days, readings: values.map { .value($0 / 10) })
      let svg = StackedStrips(
        title: "", axis: .spreads(limit: 3),
        lanes: [.init(strip, note: ""), .init(other, note: "")]
      ).drawing.file
      return svg.matches(of: /class="dots" d="([^"]*)"/).map { String($0.1) }
    }
    #expect(
      places([3, 9, -3, -20])[0].matches(of: /\ ([0-9.]+)h0/).map(\.1) == ["17", "17", "65", "65"])
    let heights = places([2, 1, 0, -1])
      .map { $0.matches(of: /\ ([0-9.]+)h0/).compactMap { Double($0.1) } }
    #expect(heights[0] == [25, 33, 41, 49])
    #expect(zip(heights[1], [0.2, 0.1, 0, -0.1]).allSatisfy { abs($0 - (117 - 8 * $1)) < 0.051 })
  }

  @Test func scoresHaveNoUsualLevelButThatOfTheirTrend() {
    let strip = SeriesStrip(
      label: "sleep", unit: "", days: Self.last - 1...Self.last, readings: [.value(70), .noRow])
    func usualLines(_ usual: SeriesStrip.Usual?) -> Int {
      var strip = strip
      strip.usual = usual
      let stack = StackedStrips(title: "", axis: .points, lanes: [.init(strip, note: "")])
      return stack.drawing.file.components(separatedBy: "class=\"usual\"").count - 1
    }
    #expect(usualLines(nil) == 0)
    #expect(usualLines(.init(value: 80)) == 1)
  }
}
