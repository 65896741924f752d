import GoldenFiles
import Testing
import VigilModel

@testable import VigilCharts

@Suite struct SeriesStripTests {
  static let last = Day("2026-06-28") ?? Day(ordinal: 0)

  /// 60 days of resting heart rate with a rise at their end.
  static func strip(days count: Int = 60) -> SeriesStrip {
    let days = (last - (count - 1))...last
    let opened = last - 15
    let readings: [SeriesStrip.Reading] = (0..<count).map { index in
      let left = count - 1 - index
      switch left {
      case 50: return .noRow
      case 44, 43: return .noValue
      case 37, 36, 35: return .notWorn
      case 29: return .implausible
      default: return .value(60 + Double((left * 7) % 5) - 2 + (left <= 16 ? 7 : 0))
      }
    }
    return SeriesStrip(
      label: "resting heart rate", unit: "bpm", days: days, readings: readings,
      workouts: [last - 40, last - 8],
      episodes: [
        .init(
          activeSince: opened - 2, openedOn: opened, pattern: .rise,
          levels: [
            .init(.day3, on: opened), .init(.day7, on: opened + 4), .init(.day14, on: opened + 11),
          ],
          usual: .init(value: 60, band: 57...63))
      ],
      marks: [
        .init(.deviceChange, on: last - 30), .init(.sent, on: opened + 4),
        .init(.withheld, on: opened + 11),
      ])
  }

  @Test func drawsEverythingInAFile() throws {
    try expectSnapshot(Self.strip().drawing.file, "strip.svg")
  }

  @Test func drawsTheLast60DaysInATerminal() throws {
    try expectSnapshot(Self.strip().terminalText(), "strip.txt")
  }

  @Test func drawsInATerminalWithoutUnicode() throws {
    let text = Self.strip().terminalText(characters: .ascii)
    let isASCII = text.utf8.allSatisfy { $0 < 128 }
    #expect(isASCII)
    try expectSnapshot(text, "strip-ascii.txt")
  }

  @Test(arguments: [1, 2, 7, 40, 71, 72, 141, 142, 143, 400], [40, 60, 80, 132])
  func keepsToItsWidth(days: Int, width: Int) {
    for characters in [SeriesStrip.TerminalCharacters.braille, .ascii] {
      let lines = Self.strip(days: days).terminalText(width: width, characters: characters)
        .split(separator: "\n")
      let isWithin = lines.allSatisfy { $0.count <= width }
      #expect(isWithin)
      // The newest day is always there.
      let hasNewest = lines.contains { $0.hasSuffix("28 Jun") }
      #expect(hasNewest)
    }
  }

  @Test func meansNeedFourOfSevenDays() {
    let strip = SeriesStrip(
      label: "x", unit: "", days: Self.last - 4...Self.last,
      readings: [.value(3), .noRow, .value(5), .value(6), .value(9)], earlier: [.value(1)])
    #expect(strip.means == [nil, nil, nil, 3.75, 4.8])
  }

  /// A fall goes down and a rise up: the mean of an alert that goes on ends beyond the band, on the side of its change.
  @Test func aChangeIsDrawnOnItsSide() throws {
    for seed in 1...60 {
      let isDrop = seed.isMultiple(of: 2)
      let usual = Double(50 + seed * 37 % 400)
      let spread = usual * Double(5 + seed % 7) / 100
      let length = 8 + seed % 20
      let far = (2 + Double(seed % 5)) * spread * (isDrop ? -1 : 1)
      let readings: [SeriesStrip.Reading] = (0..<60).map { index in
        if (index * seed) % 11 == 3 { return .notWorn }
        let noise = Double((index * 7 + seed) % 5 - 2) / 4 * spread
        return .value(usual + noise + (index >= 60 - length ? far : 0))
      }
      var strip = SeriesStrip(
        label: "x", unit: "", days: Self.last - 59...Self.last, readings: readings,
        episodes: [
          .init(
            activeSince: Self.last - (length - 1), openedOn: Self.last - 3,
            pattern: isDrop ? .drop : .rise, levels: [.init(.day3, on: Self.last - 3)],
            usual: .init(value: usual, band: usual - spread...usual + spread))
        ])
      strip.recent = .init(days: Self.last - 6...Self.last, value: usual + far)
      let svg = strip.drawing.file
      let band = try #require(
        svg.firstMatch(
          of: /<rect class="band" x="48" y="([0-9.]+)" width="[0-9.]+" height="([0-9.]+)"/))
      let (top, height) = try (#require(Double(band.1)), #require(Double(band.2)))
      let mean = try #require(svg.firstMatch(of: /class="mean" d="([^"]*)"/))
      let end = try #require(mean.1.split(separator: " ").last.flatMap { Double($0) })
      let bar = try #require(svg.firstMatch(of: /class="now" d="M[0-9.]+ ([0-9.]+)L/))
      for place in [end, try #require(Double(bar.1))] {
        #expect(isDrop ? place > top + height : place < top, "seed \(seed): \(place)")
      }
    }
  }

  /// The label of an old mean stands where its line ends, and says of which day it is.
  @Test func anOldMeanHasItsDay() {
    let strip = SeriesStrip(
      label: "x", unit: "min", days: Self.last - 29...Self.last,
      readings: (0..<30).map { $0 < 10 ? .value(300) : .noRow })
    #expect(strip.drawing.file.contains(">300, 11 Jun</text>"))
    #expect(
      strip.drawing.description.contains("The latest mean of 7 days is 300, on 11 Jun 2026."))
    #expect(strip.terminalText().contains("mean of 7 days 300, on 11 Jun 2026"))
  }

  @Test func aFileSaysWhatItShows() {
    let svg = Self.strip().drawing.file
    #expect(svg.contains(">resting heart rate, bpm; 30 Apr 2026 to 28 Jun 2026</text>"))
    for words in ["mean of 7 days", "usual", "range of usual days", "not worn", "device changed"] {
      #expect(svg.contains("class=\"small\" x=") && svg.contains(">\(words)</text>"), "\(words)")
    }
    // Each level that the alert reached has its label.
    for level in ["3", "7", "14"] { #expect(svg.contains(">\(level)</text>")) }
  }

  @Test func escapesItsLabel() {
    var strip = Self.strip()
    strip.label = "<b>&\"'\u{202E}\u{1B}"
    let svg = strip.drawing.inline(id: "a")
    #expect(svg.contains("<title id=\"a-t\">&lt;b&gt;&amp;&quot;&#39;\u{FFFD}\u{FFFD}</title>"))
    #expect(!svg.contains("<b>"))
    #expect(!strip.terminalText().unicodeScalars.contains("\u{1B}"))
  }

  @Test func drawsNoDayAtAll() {
    let strip = SeriesStrip(
      label: "x", unit: "", days: Self.last...Self.last, readings: [.notWorn])
    #expect(strip.drawing.description == "None of the 1 days to 28 Jun 2026 has a value.")
    #expect(!strip.drawing.file.contains("nan"))
    #expect(strip.terminalText().contains("╱ not worn"))
  }

  @Test(arguments: [
    (0.0, "0"), (61.25, "61.3"), (99.94, "99.9"), (99.95, "100"), (-1234.5, "-1,235"),
    (12_345_678, "12,345,678"), (-0.01, "0"), (.infinity, "–"), (.nan, "–"),
  ])
  func writesValues(value: Double, text: String) {
    #expect(ChartNumber.value(value) == text)
  }

  @Test func ticksAreRoundAndInside() {
    for (low, high) in [
      (0.0, 1.0), (57, 69), (350, 480), (301, 499), (8_000, 21_000), (-3, 3), (5, 5),
    ] {
      let scale = ValueScale(holding: [low, high])
      #expect((2...6).contains(scale.ticks.count))
      let isInside = scale.ticks.allSatisfy { scale.range.contains($0) }
      #expect(isInside)
    }
  }
}
