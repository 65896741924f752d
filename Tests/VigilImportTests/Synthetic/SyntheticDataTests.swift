import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilImport

@Suite struct SyntheticDataTests {
  private let endDate: Day

  init() throws {
    endDate = try #require(Day("2026-06-30"))
  }

  private func data(people: Int, days: Int = 120, seed: UInt64 = 5) -> SyntheticData {
    SyntheticData(people: people, days: days, seed: seed, endDate: endDate)
  }

  private func lines(_ name: String, in folder: TemporaryFolder) throws -> [String] {
    let text = try String(contentsOfFile: folder.file(name), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func theSameSettingsGiveTheSameBytes() throws {
    let first = try TemporaryFolder()
    let second = try TemporaryFolder()
    let summary = try data(people: 8).write(to: first.path)
    #expect(try data(people: 8).write(to: second.path) == summary)
    for name in SyntheticData.fileNames {
      #expect(try lines(name, in: first) == lines(name, in: second))
    }
    let third = try TemporaryFolder()
    _ = try data(people: 8, seed: 6).write(to: third.path)
    #expect(
      try lines("wearable_daily_metrics.csv", in: first)
        != lines("wearable_daily_metrics.csv", in: third))
  }

  /// The numbers that follow from a seed must never change, or data sets made before would.
  @Test func theGeneratorMatchesThePublishedSequence() {
    // First outputs of SplitMix64 for seed 1234567, as published with the algorithm.
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }

  @Test func normalNumbersHaveMeanZeroAndDeviationOne() {
    var generator = SplitMix64(seed: 3)
    let numbers = (0..<100_000).map { _ in generator.normal() }
    let mean = numbers.reduce(0, +) / 100_000
    let variance = numbers.reduce(0) { $0 + $1 * $1 } / 100_000 - mean * mean
    #expect(abs(mean) < 0.02)
    #expect(abs(variance - 1) < 0.03)
  }

  @Test func aLargerSetExtendsASmallerOne() throws {
    let small = try TemporaryFolder()
    let large = try TemporaryFolder()
    _ = try data(people: 5).write(to: small.path)
    _ = try data(people: 17).write(to: large.path)
    for name in SyntheticData.fileNames {
      #expect(Set(try lines(name, in: small)).isSubset(of: try lines(name, in: large)))
    }
  }

  @Test func everyRowCanBeImported() throws {
    let folder = try TemporaryFolder()
    let written = try data(people: 40, days: 200).write(to: folder.path)
    let recorder = InputRecorder()
    let options = ImportOptions(
      today: endDate + 1, now: (endDate + 1).midnight.adding(seconds: 36_000), zones: .system,
      isStrict: true)
    let summary = try CSVFolderImport(folder: folder.path, options: options).load(into: recorder)
    #expect(summary.ignoredFiles == ["device_labels.csv", "dose_labels.csv", "labels.csv"])
    #expect(summary.tables.count == 11)
    #expect(summary.tables.allSatisfy { $0.rowsMerged == 0 && $0.personsAdded == 0 })
    #expect(recorder.rows["users"]?.count == 40)
    #expect(recorder.rows["wearable_daily_metrics"]?.count == written.metricRows)
    #expect(recorder.rows["exercise_sessions"]?.count == written.exerciseSessions)
    #expect(written.exerciseSessions > 0)
    #expect(recorder.rows["dose_history"]?.count == written.doseRows)
    #expect(written.doseRows > 0)
  }

  @Test func rowsAreSortedByPersonDayAndSource() throws {
    let folder = try TemporaryFolder()
    _ = try data(people: 25).write(to: folder.path)
    let keys = try lines("wearable_daily_metrics.csv", in: folder).dropFirst().map { line in
      line.split(separator: ",", maxSplits: 3).prefix(3).joined(separator: ",")
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
  }

  @Test func everyFamilyHasAnAcceptedAdminAndSomeInvitesAreOpenOrDeclined() throws {
    for families in [nil, 4, 7] {
      let folder = try TemporaryFolder()
      var data = data(people: 24, days: 1)
      data.families = families
      let summary = try data.write(to: folder.path)
      #expect(summary.families == families ?? 8)
      let members = try lines("family_members.csv", in: folder).dropFirst()
      let accepted = members.filter { $0.hasSuffix("admin,accepted") }
      #expect(Set(accepted.map { $0.prefix(36) }).count == summary.families)
      #expect(members.contains { $0.hasSuffix("pending") })
      #expect(members.contains { $0.hasSuffix("declined") })
    }
  }

  @Test func someExcludeTheSuperadminOfTheirFamily() throws {
    for families in [nil, 4, 7] {
      let folder = try TemporaryFolder()
      var data = data(people: 24, days: 1)
      data.families = families
      _ = try data.write(to: folder.path)
      let members = try lines("family_members.csv", in: folder).dropFirst()
        .map { $0.split(separator: ",").map(String.init) }
      let exclusions = try lines("alert_recipient_exclusions.csv", in: folder)
        .map { $0.split(separator: ",").map(String.init) }
      #expect(exclusions.first == ["subject_user_id", "excluded_user_id"])
      #expect((2...4).contains(exclusions.count - 1))
      for exclusion in exclusions.dropFirst() {
        let subject = try #require(members.first { $0[1] == exclusion[0] })
        let excluded = try #require(members.first { $0[1] == exclusion[1] })
        #expect(subject[0] == excluded[0] && subject != excluded)
        #expect(excluded[2...] == ["superadmin", "accepted"])
      }
    }
  }

  @Test func datesEndOnTheEndDateAndGapsZerosAndTwoSourcesOccur() throws {
    let folder = try TemporaryFolder()
    let summary = try data(people: 40).write(to: folder.path)
    let rows = try lines("wearable_daily_metrics.csv", in: folder).dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.map { $0[1] }.max() == "2026-06-30")
    #expect(rows.map { $0[1] }.min() == "2026-03-03")
    let days = Set(rows.map { "\($0[0]),\($0[1])" })
    #expect(days.count < 40 * 120)
    #expect(rows.count > days.count)
    #expect(rows.count == summary.metricRows)
    #expect(rows.contains { $0.dropFirst(3).allSatisfy { Double($0) == 0 } })
    #expect(rows.contains { $0[4].isEmpty && !$0[3].isEmpty })
  }

  /// Against the spread of worn days in the LifeSnaps data set.
  @Test func everyMetricWandersAsMuchAsWithRealPeople() throws {
    let folder = try TemporaryFolder()
    _ = try data(people: 60, days: 100).write(to: folder.path)
    let labelled = Set(
      try lines("labels.csv", in: folder).dropFirst().map { line in
        line.split(separator: ",").prefix(2).joined(separator: ",")
      })
    let table = try lines("wearable_daily_metrics.csv", in: folder)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(table.first)
    let spreads = [
      "steps": 0.54, "sleep_minutes": 0.217, "hrv_ms": 0.2, "resting_hr": 0.032,
      "sleep_efficiency_pct": 0.027, "movement_minutes": 0.73,
    ]
    for (metric, spread) in spreads {
      let column = try #require(header.firstIndex(of: metric))
      var values: [String: [Double]] = [:]
      for row in table.dropFirst() where !labelled.contains("\(row[0]),\(metric)") {
        if let value = Double(row[column]), value > 0 { values[row[0], default: []].append(value) }
      }
      let variations = values.values.map { series in
        let mean = series.reduce(0, +) / Double(series.count)
        let squares = series.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(series.count)).squareRoot() / mean
      }.sorted()
      let median = variations[variations.count / 2]
      #expect((0.7 * spread...1.3 * spread).contains(median), "\(metric): \(median)")
    }
  }

  @Test func labelsSayWhatWasDone() throws {
    let folder = try TemporaryFolder()
    _ = try data(people: 200, days: 150).write(to: folder.path)
    let rows = try lines("wearable_daily_metrics.csv", in: folder)
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(rows.first)
    let byPerson = Dictionary(grouping: rows.dropFirst(), by: { $0[0] })
    let labels = try lines("labels.csv", in: folder).dropFirst()
      .map { $0.split(separator: ",").map(String.init) }
    #expect(Set(labels.map { $0[6] }) == ["3", "7", "14", "21"])
    #expect(Set(labels.map { $0[1] }).count == 7)
    for label in labels {
      let column = try #require(header.firstIndex(of: label[1]))
      let first = try #require(Day(label[3]))
      let person = try #require(byPerson[label[0]])
      func mean(_ days: Range<Day>) throws -> Double {
        let values = try person.filter { days.contains(try #require(Day($0[1]))) }
          .compactMap { Double($0[column]) }.filter { $0 > 0 }
        return values.reduce(0, +) / Double(max(1, values.count))
      }
      let last = try #require(Day(label[4]))
      let change = try #require(Double(label[5]))
      let observed = try mean(first..<last + 1) / mean(first - 25..<first) - 1
      // Noise moves the mean of three or more days by far less than the change itself.
      #expect(observed / change > 0.45, "\(label[1]) \(change) \(observed)")
      #expect((change < 0) == (label[2] == "drop_vs_baseline"))
    }
  }

  @Test func deviceLabelsNameTheDaysWithoutADeviceAndThoseOfAnother() throws {
    let folder = try TemporaryFolder()
    let summary = try data(people: 60, days: 150).write(to: folder.path)
    let rows = try lines("wearable_daily_metrics.csv", in: folder).dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    var worn: [String: Set<Day>] = [:]
    var sources: [String: [String: Set<Day>]] = [:]
    for row in rows {
      let day = try #require(Day(row[1]))
      sources[row[0], default: [:]][row[2], default: []].insert(day)
      if row.dropFirst(3).contains(where: { Double($0) ?? 0 > 0 }) {
        worn[row[0], default: []].insert(day)
      }
    }
    let labels = try lines("device_labels.csv", in: folder).dropFirst()
      .map { $0.split(separator: ",").map(String.init) }
    #expect(labels.count == summary.devicePeriods)
    #expect(labels.map { $0[0] } == labels.map { $0[0] }.sorted())
    var off: [String: Set<Day>] = [:]
    var changes = 0
    for label in labels {
      let days = try #require(Day(label[2]))...(try #require(Day(label[3])))
      switch label[1] {
      case "off": off[label[0], default: []].formUnion(days)
      case "new_device":
        changes += 1
        let own = try #require(sources[label[0]])
        #expect(own.count == 2)
        // A day on which both would report may be one without a device.
        #expect(own.values.compactMap { $0.max() }.min().map { $0 <= days.upperBound } ?? false)
        #expect(own.values.compactMap { $0.min() }.max().map { $0 >= days.lowerBound } ?? false)
      default: Issue.record("\(label[1]) is no behaviour")
      }
    }
    #expect(changes > 10)
    #expect(changes == sources.values.count { $0.count == 2 })
    for (person, days) in worn {
      let all = Set((endDate - 149)...endDate)
      #expect(off[person] ?? [] == all.subtracting(days))
    }
  }

  @Test func refusesToReplaceFilesUnlessAllowed() throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "users.csv")
    let error = try #require(throws: ImportError.self) {
      try data(people: 2, days: 3).write(to: folder.path)
    }
    #expect(error.code == .cannotCreateOutput)
    #expect(error.message.contains("users.csv"))
    #expect(try folder.fileNames == ["users.csv"])
    _ = try data(people: 2, days: 3).write(to: folder.path, overwrites: true)
    #expect(try folder.fileNames == SyntheticData.fileNames.sorted())
  }

  @Test func leavesNothingBehindWhenItIsStopped() throws {
    let folder = try TemporaryFolder()
    var written = 0
    let error = try #require(throws: ImportError.self) {
      try data(people: 5, days: 3).write(
        to: folder.path, progress: { count, _ in written = count }, shouldStop: { written == 2 })
    }
    #expect(error.code == .interrupted)
    #expect(try folder.fileNames.isEmpty)
  }

  @Test func saysWhenItCannotWrite() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    let error = try #require(throws: ImportError.self) {
      try data(people: 1, days: 1).write(to: folder.file("file"))
    }
    #expect(error.code == .cannotCreateOutput)
  }

  @Test(
    .enabled("needs /dev/full") { FileManager.default.fileExists(atPath: "/dev/full") },
    arguments: ["users.csv", "wearable_daily_metrics.csv"])
  func aFullDiskLeavesNothingBehind(name: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: "/dev/full")
    let error = try #require(throws: ImportError.self) {
      try data(people: 3, days: 30).write(to: folder.path, overwrites: true)
    }
    #expect(error.code == .cannotCreateOutput)
    #expect(error.message.contains("No space left"))
    #expect(try folder.fileNames == [name])
  }

  @Test func refusesSettingsOutOfRange() throws {
    let folder = try TemporaryFolder()
    var data = data(people: 0, days: 0)
    data.families = 0
    let error = try #require(throws: ImportError.self) { try data.write(to: folder.path) }
    #expect(error.code == .usage)
    #expect(error.problems.count == 3)
  }
}
