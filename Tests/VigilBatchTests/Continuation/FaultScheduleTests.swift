import CFaultyDisk
import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

/// Nights with a fault at any call of the database, or at any operation of its disk, and the nights after them.
///
/// Whatever happens, the next attempt leaves what an undisturbed night would have left: no alert twice, none lost, no
/// notification twice, none lost.
@Suite("Faults at every call")
struct FaultScheduleTests {
  private static let first = RandomHistories.first
  private static let nights = (first + 107)...(first + 109)

  /// A database whose days before the nights are evaluated, and that notifies from now on.
  private func filled(_ kind: DatabaseKind) throws -> BatchDatabase {
    let database = try RandomHistories(seed: 7, persons: 4, days: 110).database(kind)
    try database.run(
      (Self.first + 80)...(Self.nights.lowerBound - 1), thresholds: BatchDatabase.thresholds("v1"))
    _ = try database.storage.withRuns { try $0.goLive(at: BatchDatabase.now) }
    return database
  }

  /// One live night of a database, through `storage`.
  private func night(
    _ day: Day, of database: BatchDatabase, through storage: any Storage,
    clock: (@Sendable () -> Timestamp)? = nil
  ) throws {
    try database.run(
      day...day, thresholds: BatchDatabase.thresholds("v1"), kind: .run, mode: .live, batchSize: 2,
      through: storage, clock: clock)
  }

  /// An operator corrects the start of a run by a clock that was ahead: no live night goes on before that.
  private func correctStarts(in database: BatchDatabase) throws {
    let now = BatchDatabase.now
    try database.database.execute(
      "UPDATE batch_runs SET started_at = '\(now)' WHERE started_at > '\(now)'")
  }

  @Test(
    "an error, a lost answer, the end of the process, a clock that jumps",
    arguments: DatabaseKind.allCases)
  func callsFail(kind: DatabaseKind) throws {
    let fresh = try filled(kind)
    let undisturbed = try fresh.copy()
    var calls: [Day: Int] = [:]
    for day in Self.nights {
      let storage = FaultyStorage(undisturbed.storage)
      try night(day, of: undisturbed, through: storage)
      calls[day] = storage.calls
    }
    let rows = try undisturbed.dump()
    #expect(try undisturbed.queue(.live).count > 3)
    var met: Set<FaultyStorage.Fault> = []
    let schedules =
      kind == .sqlite
      ? Repetitions.count(fast: 60, long: 2_000) : Repetitions.count(fast: 8, long: 150)
    for seed in 1...schedules {
      var random = SeededGenerator(seed: seed)
      let database = try fresh.copy()
      for day in Self.nights {
        while random.chance(0.6) {
          let schedule = FaultyStorage.Schedule(
            fault: random.pick(FaultyStorage.Fault.allCases),
            call: Int.random(in: 1...(calls[day] ?? 1), using: &random),
            code: random.pick([.transient, .unreachable, .diskFull, .locked, .unexpected]),
            // By a day ahead, what is not sent yet has expired.
            jump: random.pick([60, 7_200, -60, -7_200, -86_400, -40_000_000]))
          let storage = FaultyStorage(database.storage, schedule)
          do {
            try night(day, of: database, through: storage, clock: { storage.now })
          } catch {
            #expect(storage.hasFailed, "seed \(seed): \(error)")
          }
          if storage.hasFailed { met.insert(schedule.fault) }
          try correctStarts(in: database)
        }
        #expect(throws: Never.self, "seed \(seed)") {
          try night(day, of: database, through: database.storage)
        }
      }
      try expectSame(database.dump(), rows, "seed \(seed)")
    }
    #expect(met == Set(FaultyStorage.Fault.allCases))
  }

  @Test("reading, writing, writing through and removing files fails, and the disk is full or gone")
  func disksFail() throws {
    let fresh = try filled(.sqlite)
    let day = Self.nights.lowerBound
    func copied(
      _ body: (_ database: TestDatabase, _ disk: FaultyDisk) throws -> Void
    ) throws {
      try TemporaryDirectory.with { (folder) throws in
        let disk = try FaultyDisk(folder.path)
        try body(fresh.database.copy(in: folder.path), disk)
      }
    }
    var operations = 0
    var rows: [String] = []
    try copied { database, disk in
      operations = try disk.failing(at: 0) {
        try night(day, of: fresh, through: database.open())
      }
      rows = try BatchDatabase.dump(of: database)
    }
    #expect(operations > 100)
    var failed = 0
    for seed in 1...Repetitions.count(fast: 60, long: 2_000) {
      var random = SeededGenerator(seed: seed)
      let fault = random.pick(FaultyDisk.faults)
      let operation = Int.random(in: 1...operations, using: &random)
      try copied { database, disk in
        let label = "seed \(seed), operation \(operation), fault \(fault.rawValue)"
        try disk.failing(fault, at: operation) {
          do {
            try night(day, of: fresh, through: database.open())
          } catch let error as StorageError {
            failed += 1
            #expect(error.code != .constraint, "\(label): \(error)")
          }
        }
        #expect(try database.rows("PRAGMA integrity_check") == ["ok"], "\(label)")
        #expect(throws: Never.self, "\(label)") {
          try night(day, of: fresh, through: database.open())
        }
        try expectSame(BatchDatabase.dump(of: database), rows, label)
      }
    }
    #expect(failed > 10)
  }
}
