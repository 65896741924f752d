import Foundation
import StorageConformance
import Synchronization
import VigilModel
import VigilStorage

/// A real database one of whose calls fails, whichever it is.
///
/// Calls are counted over the storage and its readers, in their order; with one worker it is the same each time.
final class FaultyStorage: ForwardingStorage {
  enum Fault: Sendable, Hashable, CaseIterable {
    /// The call fails before it does anything.
    case refused
    /// The call does its work, and its answer is lost.
    case lostAnswer
    /// Neither this call nor a later one does anything: the process has ended.
    case death
    /// From this call on the clock is wrong.
    case clockJump
  }

  /// The fault of one call, counted from 1; 0 is none.
  struct Schedule: Sendable {
    var fault = Fault.refused
    var call = 0
    var code = StorageError.Code.transient
    /// The jump of the clock, in seconds.
    var jump: Int64 = 0
  }

  let base: any Storage
  private let schedule: Schedule
  private let count = Mutex(0)

  init(_ base: any Storage, _ schedule: Schedule = Schedule()) {
    self.base = base
    self.schedule = schedule
  }

  /// Calls so far.
  var calls: Int { count.withLock { $0 } }

  /// Whether the planned fault has happened.
  var hasFailed: Bool { schedule.call > 0 && calls >= schedule.call }

  /// The clock of a run on this storage.
  var now: Timestamp {
    let isWrong = schedule.fault == .clockJump && hasFailed
    return BatchDatabase.now.adding(seconds: isWrong ? schedule.jump : 0)
  }

  func call<Result>(_ body: () throws -> Result) throws -> Result {
    let number = count.withLock { count in
      count += 1
      return count
    }
    guard schedule.call > 0, number >= schedule.call else { return try body() }
    let isFirst = number == schedule.call
    switch schedule.fault {
    case .refused where isFirst: throw StorageError(schedule.code, "the call is refused")
    case .lostAnswer where isFirst:
      _ = try body()
      throw StorageError(schedule.code, "the answer is lost")
    case .death: throw StorageError(.unreachable, "the process has ended")
    case .refused, .lostAnswer, .clockJump: return try body()
    }
  }

  func makeReaders(count: Int) throws -> [any StorageReader] {
    try call { try base.makeReaders(count: count).map { FaultyReader($0, of: self) } }
  }
}

private final class FaultyReader: ForwardingReader {
  let base: any StorageReader
  private let storage: FaultyStorage

  init(_ base: any StorageReader, of storage: FaultyStorage) {
    self.base = base
    self.storage = storage
  }

  func call<Result>(_ body: () throws -> Result) throws -> Result { try storage.call(body) }
}
