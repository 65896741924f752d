import Foundation
import TestSupport
import Testing
import VigilModel
import VigilZones

/// All zones of this machine against Python's `zoneinfo`, which reads the same files by other code.
@Suite struct PythonComparisonTests {
  @Test func allZonesShowWhatPythonShows() throws {
    let folder = try #require(ZoneFolder.ofThisMachine)
    guard let answers = try PythonZones.answers(of: folder) else {
      print("skipped: there is no python3 with the module zoneinfo")
      return
    }
    var compared = (zones: 0, changes: 0, instants: 0, walls: 0)
    for answer in answers {
      let rules = try #require(ZoneCatalog.system.rules(of: answer.name), "\(answer.name)")
      let offset = { (second: Int64) in
        (rules.local(second * 1_000_000) - second * 1_000_000) / 1_000_000
      }
      let changes = rules.starts.indices.dropFirst().map { index in
        Change(second: rules.starts[index] / 1_000_000, offset: rules.offsets[index] / 1_000_000)
      }.filter { PythonZones.seconds.contains($0.second) }
      #expect(changes == answer.changes, "\(answer.name)")
      #expect(offset(PythonZones.seconds.lowerBound) == answer.firstOffset, "\(answer.name)")
      for sample in answer.instants where offset(sample.second) != sample.offset {
        Issue.record("\(answer.name) at \(sample.second): \(offset(sample.second))")
      }
      for sample in answer.walls {
        let wall = sample.wall * 1_000_000
        let first = rules.firstInstant(
          showing: wall, from: wall - 2 * ZoneRules.microsecondsPerDay)
        if first != sample.second * 1_000_000 {
          Issue.record("\(answer.name): the clock shows \(sample.wall) first at \(first)")
        }
      }
      compared.zones += 1
      compared.changes += changes.count
      compared.instants += answer.instants.count
      compared.walls += answer.walls.count
    }
    #expect(compared.zones == folder.zoneNames().count)
    #expect(compared.zones > 300 && compared.changes > 20_000, "\(compared)")
    #expect(compared.instants > 30_000 && compared.walls > 30_000, "\(compared)")
  }
}

/// A change of the clock, in seconds since 1970.
private struct Change: Hashable {
  var second: Int64
  var offset: Int64
}

/// The answer of Python for one zone.
private struct PythonZones {
  var name: String
  var firstOffset: Int64
  var changes: [Change] = []
  var instants: [(second: Int64, offset: Int64)] = []
  /// The reading of a wall clock, and the first second at which it shows that or a later time.
  var walls: [(wall: Int64, second: Int64)] = []

  /// 1970-01-01 to 2038-01-01.
  static let seconds: Range<Int64> = 0..<2_145_916_800

  /// Asks one process about all zones of a folder; nil where there is no Python.
  static func answers(of folder: ZoneFolder) throws -> [PythonZones]? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = SharedFolder.repository.appending(path: "Tests/VigilZonesTests/zones.py").path
    process.arguments = ["python3", script, "\(seconds.lowerBound)", "\(seconds.upperBound)"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["PYTHONTZPATH": folder.place]) { $1 }
    let (input, output) = try Process.startingAlone {
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      return (input, output)
    }
    try input.fileHandleForWriting.write(
      contentsOf: Data(folder.zoneNames().joined(separator: "\n").utf8))
    try input.fileHandleForWriting.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    // 127: env finds no python3. 3: it has no zoneinfo.
    if [127, 3].contains(process.terminationStatus) { return nil }
    try #require(process.terminationStatus == 0)
    return text.split(separator: "\n").map(PythonZones.init)
  }

  /// Reads `name|first offset|changes|instants|walls`, each a list of `second:value`.
  private init(line: Substring) {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    func pairs(_ part: Substring) -> [(Int64, Int64)] {
      part.split(separator: ",").map { pair in
        let numbers = pair.split(separator: ":").compactMap { Int64($0) }
        return (numbers[0], numbers[1])
      }
    }
    name = String(parts[0])
    firstOffset = Int64(parts[1]) ?? .min
    changes = pairs(parts[2]).map { Change(second: $0.0, offset: $0.1) }
    instants = pairs(parts[3]).map { (second: $0.0, offset: $0.1) }
    walls = pairs(parts[4]).map { (wall: $0.0, second: $0.1) }
  }
}
