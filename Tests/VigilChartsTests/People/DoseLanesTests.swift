import GoldenFiles
import Testing
import VigilModel

@testable import VigilCharts

@Suite struct DoseLanesTests {
  private static let last = SeriesStripTests.last

  private static let lanes = DoseLanes(
    days: last - 59...last,
    lanes: [
      .init(
        label: "Medication 5b1e",
        doses: (0..<60).map { day in
          switch day {
          case 12...14: [.missed, .missed]
          case 20: [.taken, .skipped]
          case 30: [.early, .late, .extra]
          case 40: [.plannedSkip, .plannedSkip]
          case 59: [.taken, .pending]
          default: day % 9 == 0 ? [.late, .taken] : [.taken, .taken]
          }
        }),
      .init(label: "Medication <b>", doses: (0..<60).map { $0 % 7 == 0 ? [.taken] : [] }),
    ])

  @Test func drawsEachDose() throws {
    try expectSnapshot(Self.lanes.drawing.file, "dose-lanes.svg")
    #expect(Self.lanes.kinds == DoseLanes.Mark.allCases)
  }

  @Test func countsInWords() {
    let marks = Self.lanes.lanes[0].doses.flatMap { $0 }
    func count(_ kinds: DoseLanes.Mark...) -> Int { marks.count { kinds.contains($0) } }
    let taken = count(.taken, .late, .early)
    let expected =
      "Medication 5b1e: \(taken) of \(taken + 7) doses taken, \(count(.late)) of them late, 1 of them"
      + " early; 6 missed; 1 skipped; 1 extra or as needed; 1 not yet due. Medication <b>: 9 of 9 doses"
      + " taken."
    #expect(Self.lanes.drawing.description == expected)
  }

  /// No two marks look the same without their colour.
  @Test func eachMarkHasAShapeOfItsOwn() {
    let shapes = DoseLanes.Mark.allCases.map { $0.path(x: 6, y: 6) }
    #expect(Set(shapes).count == DoseLanes.Mark.allCases.count)
  }

  @Test func aDayWithManyDosesKeepsItsHeight() {
    let lanes = DoseLanes(
      days: Self.last...Self.last,
      lanes: [.init(label: "x", doses: [Array(repeating: .taken, count: 40)])])
    #expect(lanes.drawing.height < 100)
    #expect(lanes.drawing.description == "x: 40 of 40 doses taken.")
  }
}
