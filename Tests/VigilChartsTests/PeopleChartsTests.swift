import GoldenFiles
import Testing
import VigilModel

@testable import VigilCharts

@Suite struct PeopleChartsTests {
  static let last = SeriesStripTests.last

  @Test func drawsTonight() throws {
    let axis = DeviationAxis(rows: [
      .init(label: "resting heart rate", spreads: 2.4, isBad: true, text: "66 bpm, usual 60"),
      .init(label: "sleep", spreads: -0.3, isBad: false, text: "412 min, usual 421"),
      .init(label: "steps", spreads: -7, isBad: true, text: "210 steps, usual 8,200"),
      .init(label: "heart rate <variability>", spreads: nil, isBad: false, text: "not known"),
    ])
    try expectSnapshot(axis.drawing.file, "deviation-axis.svg")
  }

  @Test func drawsTheStatesOfMetrics() throws {
    let states: [StateTimeline.State] = (0..<90).map { day in
      switch day {
      case 10, 11: .unknown
      case 20...23: .notWorn
      case 60...63: .alert(.day3)
      case 64...70: .alert(.day7)
      case 71...76: .alert(.day14)
      default: .calm
      }
    }
    let timeline = StateTimeline(
      days: Self.last - 89...Self.last,
      rows: [
        .init(label: "sleep", states: states),
        .init(label: "steps", states: Array(repeating: .calm, count: 90)),
      ])
    #expect(
      timeline.drawing.description == "sleep: 17 of 90 days in an alert. steps: no alert.")
    try expectSnapshot(timeline.drawing.file, "state-timeline.svg")
  }

  @Test func drawsTheDosesOfDays() throws {
    let taken: [Double?] = (0..<91).map { day in
      day % 10 == 9 ? nil : day % 7 == 0 ? 0 : day % 5 == 0 ? 0.5 : 1
    }
    var calendar = AdherenceCalendar(days: Self.last - 90...Self.last, taken: taken)
    #expect(calendar.kinds == [.missed])
    calendar.skipped = Set((0..<91).filter { $0 % 14 == 0 }.map { Self.last - 90 + $0 })
    #expect(calendar.kinds == [.missed, .skipped])
    let known = taken.compactMap(\.self)
    let full = known.filter { $0 == 1 }.count
    #expect(calendar.drawing.description.hasPrefix("\(full) of \(known.count) days"))
    try expectSnapshot(calendar.drawing.file, "adherence-calendar.svg")
  }
}
