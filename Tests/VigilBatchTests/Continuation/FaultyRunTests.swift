import Foundation
import InMemoryLogging
import Logging
import Synchronization
import TestDatabases
import TestSupport
import Testing
import VigilDetection
import VigilModel
import VigilStorage

@testable import VigilBatch

/// Runs whose database fails in between.
@Suite struct FaultyRunTests {
  private static let first = Day(ordinal: 20_000)
  private static let days = (first + 80)...(first + 129)
  private static let personCount = 60

  /// Random histories of two sources, so that rows of a day follow each other.
  private func filled() throws -> BatchDatabase {
    let database = try BatchDatabase(.sqlite)
    for (offset, source) in ["ring", "watch"].enumerated() {
      var series: [BatchDatabase.Series] = []
      var workouts: [UUID: Set<Day>] = [:]
      for index in 0..<Self.personCount {
        let person = UUID(name: "faulty person \(index)")
        for (number, metric) in ["steps", "hrv_ms"].enumerated() {
          let history = RandomSeries(seed: index * 10 + offset * 2 + number, days: 130)
          series.append(
            .init(person: person, metric: metric, values: history.byDay(from: Self.first)))
          workouts[person] = Set(history.workouts.map { Self.first + $0 })
        }
      }
      try database.insert(series, workouts: workouts, source: source)
    }
    try database.insert(
      (0..<Self.personCount).map { index in
        FamilyMember(
          family: UUID(name: "faulty family \(index / 3)"),
          user: UUID(name: "faulty person \(index)"), role: index % 3 == 0 ? .admin : .member,
          inviteStatus: .accepted)
      })
    return database
  }

  /// Persons of all batches that are in the database.
  private func personsWritten(to database: BatchDatabase) throws -> Int {
    try database.database.rows("SELECT coalesce(sum(persons), 0) FROM batch_checkpoints")
      .compactMap { Int($0) }.first ?? -1
  }

  // MARK: Lost connections

  @Test(arguments: ["v1", "v2"], [1, 3])
  func lostConnectionsChangeNoRow(profile: String, workers: Int) throws {
    let thresholds = try BatchDatabase.thresholds(profile)
    let fresh = try filled()
    let undisturbed = try fresh.copy()
    let expected = try undisturbed.run(Self.days, thresholds: thresholds)
    let rows = try undisturbed.dump()
    #expect(rows.count > 100)
    var faults: Set<FlakyStorage.Fault> = []
    for seed in 1...Repetitions.count(fast: 3, long: 15) {
      let database = try fresh.copy()
      let storage = FlakyStorage.randomLosses(database.storage, seed: seed)
      let log = InMemoryLogHandler()
      let record = try database.run(
        Self.days, thresholds: thresholds, workers: workers, batchSize: 4, through: storage,
        log: log)
      #expect(record.status == .succeeded)
      #expect(record.counts == expected.counts, "seed \(seed)")
      #expect(record.dataQuality == expected.dataQuality, "seed \(seed)")
      try expectSame(database.dump(), rows, "seed \(seed)")

      let history = storage.history
      let losses = history.faults.values.reduce(0, +)
      #expect(losses > 5, "seed \(seed)")
      #expect(history.readersMade == [workers] + Array(repeating: 1, count: losses))
      #expect(history.mostOpenReaders == workers)
      #expect(history.openReaders == 0)
      let notices = log.entries.filter { $0.level == .notice }
      #expect(notices.count == losses)
      #expect(notices.allSatisfy { $0.metadata["run.id"] == "\(record.id.lowercased)" })
      faults.formUnion(history.faults.keys)
    }
    #expect(faults.isSuperset(of: [.beforeMetrics, .amidMetrics, .alertStates, .familyMembers]))
  }

  @Test func aReaderThatAlwaysFailsEndsTheRunWithItsError() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let storage = FlakyStorage(database.storage) { _, _, _ in (.amidMetrics, FlakyStorage.lost) }
    #expect(throws: FlakyStorage.lost) {
      try database.run(Self.days, thresholds: thresholds, batchSize: 4, through: storage)
    }
    #expect(
      storage.history.readersMade == Array(repeating: 1, count: 1 + SharedReader.mostRepetitions))
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.status == .failed)
    #expect(run.error == FlakyStorage.lost.description)
    #expect(run.counts.persons == 0)
    #expect(try database.dump().isEmpty)
  }

  @Test func familiesThatCannotBeReadEndTheRunBeforeTheirBatchIsWritten() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let storage = FlakyStorage(database.storage) { reading, _, _ in
      reading == .families ? (.familyMembers, FlakyStorage.lost) : nil
    }
    #expect(throws: FlakyStorage.lost) {
      try database.run(
        Self.days, thresholds: thresholds, workers: 2, batchSize: 30, through: storage)
    }
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.status == .failed)
    #expect(run.counts.persons == 0)
    #expect(try database.dump().isEmpty)
  }

  @Test func aDatabaseThatStaysAwayEndsTheRunAsUnreachable() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let storage = FlakyStorage(database.storage, limits: .init(makingReaders: 1)) { _, _, _ in
      (.alertStates, FlakyStorage.lost)
    }
    let error = #expect(throws: StorageError.self) {
      try database.run(
        Self.days, thresholds: thresholds, workers: 3, batchSize: 4, through: storage)
    }
    #expect(error?.code == .unreachable)
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.status == .failed)
  }

  @Test func aRunThatIsStoppedDoesNotWaitForItsDatabaseToComeBack() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let storage = FlakyStorage(database.storage) { _, _, _ in (.alertStates, FlakyStorage.lost) }
    let record = try database.run(
      Self.days, thresholds: thresholds, workers: 2, batchSize: 4, through: storage,
      shouldStop: { true })
    #expect(record.status == .interrupted)
    #expect(record.counts.persons == 0)
    #expect(storage.history.readersMade == [2])
  }

  // MARK: Other errors

  @Test func anErrorThatIsNotTransientEndsTheRunAfterTheBatchesBefore() throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let persons = try database.storage.persons(withDataIn: Self.days)
    let corrupt = StorageError(.corrupt, "a row is damaged")
    let damaged = persons[20]
    let storage = FlakyStorage(database.storage) { _, person, _ in
      person == damaged ? (.amidMetrics, corrupt) : nil
    }
    #expect(throws: corrupt) {
      try database.run(Self.days, thresholds: thresholds, batchSize: 4, through: storage)
    }
    #expect(storage.history.attempts[.batch]?[damaged] == 1)
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.status == .failed)
    #expect(run.error == corrupt.description)
    #expect(run.counts.persons == 20)
    #expect(try personsWritten(to: database) == 20)
  }

  @Test(arguments: [1, 3])
  func anErrorOfWritingEndsTheRunAndLeavesWholeBatches(workers: Int) throws {
    let thresholds = try BatchDatabase.thresholds("v1")
    let database = try filled()
    let storage = FlakyStorage(database.storage, limits: .init(writes: 5))
    let error = #expect(throws: StorageError.self) {
      try database.run(
        Self.days, thresholds: thresholds, workers: workers, batchSize: 4, through: storage)
    }
    #expect(error?.code == .diskFull)
    // Each worker ends with the batch in hand.
    #expect(storage.history.writes <= 5 + workers)
    #expect(storage.history.openReaders == 0)
    let run = try #require(try database.storage.runs(limit: 1).first)
    #expect(run.status == .failed)
    #expect(run.counts.persons == 20)
    #expect(try personsWritten(to: database) == 20)
  }

  // MARK: Stopping

  @Test(arguments: [1, 2, 7])
  func aStopWithSeveralWorkersCountsWhatWasWrittenAndTheNextRunDoesTheRest(asked: Int) throws {
    let thresholds = try BatchDatabase.thresholds("v2")
    let fresh = try filled()
    let whole = try fresh.copy()
    try whole.run(Self.days, thresholds: thresholds)
    let interrupted = try fresh.copy()
    let count = Mutex(0)
    let record = try interrupted.run(
      Self.days, thresholds: thresholds, workers: 3, batchSize: 4,
      shouldStop: {
        count.withLock { count in
          count += 1
          return count > asked
        }
      })
    #expect(record.status == .interrupted)
    #expect(record.counts.persons == asked * 4)
    #expect(try personsWritten(to: interrupted) == asked * 4)
    let rest = try interrupted.run(Self.days, thresholds: thresholds, workers: 3, batchSize: 4)
    #expect(rest.status == .succeeded)
    try expectSame(interrupted.dump(), whole.dump())
  }

  @Test func aRunOverAnUnknownPersonReadsNothing() throws {
    let database = try filled()
    let storage = FlakyStorage(database.storage)
    let record = try database.run(
      Self.days, thresholds: BatchDatabase.thresholds("v1"), workers: 2,
      persons: [UUID(name: "unknown")], through: storage)
    #expect(record.status == .succeeded)
    #expect(record.counts.persons == 0)
    #expect(storage.history.readersMade == [0])
  }
}
