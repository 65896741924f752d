import Foundation
import StorageConformance
import Synchronization
import TestSupport
import VigilAdherence
import VigilModel
import VigilStorage

/// A real database with faults: its readers lose their connections, or its writes fail.
///
/// What fails depends on the persons and on how often they were read before, never on which thread
/// reads them or when.
final class FlakyStorage: ForwardingStorage {
  /// The point at which reading a batch fails.
  enum Fault: Sendable, CaseIterable {
    case beforeMetrics
    case amidMetrics
    case afterWorkoutDays
    case alertStates
    case familyMembers
  }

  /// The rows of some persons that are read together.
  enum Reading: Sendable, Hashable {
    case batch
    case families
  }

  /// The fault of a reading whose least person is `person`, for the `attempt`th time, from 1.
  typealias Plan =
    @Sendable (_ reading: Reading, _ person: UUID, _ attempt: Int) -> (
      fault: Fault, error: StorageError
    )?

  static let lost = StorageError(.transient, "the connection was lost")

  let base: any Storage
  private let plan: Plan
  private let limits: Limits
  private let state = Mutex(State())

  struct Limits: Sendable {
    /// Calls of `makeReaders` that succeed.
    var makingReaders = Int.max
    /// Batches that can be written.
    var writes = Int.max
  }

  struct State {
    var attempts: [Reading: [UUID: Int]] = [:]
    /// The arguments of `makeReaders`, call by call.
    var readersMade: [Int] = []
    var openReaders = 0
    var mostOpenReaders = 0
    var faults: [Fault: Int] = [:]
    var writes = 0
  }

  init(_ base: any Storage, limits: Limits = Limits(), plan: @escaping Plan = { _, _, _ in nil }) {
    self.base = base
    self.limits = limits
    self.plan = plan
  }

  /// Loses connections at random, and that of a reading at most 4 times in a row.
  static func randomLosses(_ base: any Storage, seed: Int) -> FlakyStorage {
    FlakyStorage(base) { reading, person, attempt in
      guard attempt <= 4 else { return nil }
      let salt = Int(person.uuid.14) << 8 | Int(person.uuid.15)
      var random = SeededGenerator(seed: (seed << 16 | salt) << 3 | attempt)
      guard random.chance(0.6) else { return nil }
      return switch reading {
      case .batch:
        (random.pick([.beforeMetrics, .amidMetrics, .afterWorkoutDays, .alertStates]), lost)
      case .families: (.familyMembers, lost)
      }
    }
  }

  /// The calls so far.
  var history: State { state.withLock { $0 } }

  // MARK: Faults

  func makeReaders(count: Int) throws -> [any StorageReader] {
    let isRefused = state.withLock { state in
      state.readersMade.append(count)
      return state.readersMade.count > limits.makingReaders
    }
    if isRefused { throw StorageError(.unreachable, "the database stays away") }
    return try base.makeReaders(count: count).map { FlakyReader($0, of: self) }
  }

  func write(_ batch: BatchWrite) throws -> BatchWriteResult {
    let isRefused = state.withLock { state in
      state.writes += 1
      return state.writes > limits.writes
    }
    if isRefused { throw StorageError(.diskFull, "no space is left") }
    return try base.write(batch)
  }

  fileprivate func beginning(
    _ reading: Reading, of persons: [UUID]
  ) -> (fault: Fault, error: StorageError)? {
    guard let person = persons.min(by: { $0.uuidString < $1.uuidString }) else { return nil }
    let attempt = state.withLock { state in
      state.attempts[reading, default: [:]][person, default: 0] += 1
      return state.attempts[reading]?[person] ?? 0
    }
    return plan(reading, person, attempt)
  }

  fileprivate func happened(_ fault: Fault) {
    state.withLock { $0.faults[fault, default: 0] += 1 }
  }

  fileprivate func opened() {
    state.withLock {
      $0.openReaders += 1
      $0.mostOpenReaders = max($0.mostOpenReaders, $0.openReaders)
    }
  }

  fileprivate func closed() { state.withLock { $0.openReaders -= 1 } }
}

/// Fails once where its storage says so, and refuses to be used after that.
private final class FlakyReader: ForwardingReader {
  let base: any StorageReader
  private let storage: FlakyStorage
  private var planned: (fault: FlakyStorage.Fault, error: StorageError)?
  private var isLost = false

  init(_ base: any StorageReader, of storage: FlakyStorage) {
    self.base = base
    self.storage = storage
    storage.opened()
  }

  deinit {
    storage.closed()
  }

  private func fail(at fault: FlakyStorage.Fault) throws {
    if isLost { throw StorageError(.unexpected, "a reader was used after it had failed") }
    guard let planned, planned.fault == fault else { return }
    isLost = true
    storage.happened(fault)
    throw planned.error
  }

  func readMetrics(
    of persons: [UUID], days: ClosedRange<Day>, metrics: [MetricType], reportsWear: Bool,
    into sink: some MetricRowSink
  ) throws -> UnusableRows {
    planned = storage.beginning(.batch, of: persons)
    try fail(at: .beforeMetrics)
    let unusable: UnusableRows
    if planned?.fault == .amidMetrics {
      // An odd number of rows, so that a day of two sources may be cut in two.
      unusable = try base.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear,
        into: TruncatingSink(sink, after: 101))
    } else {
      unusable = try base.readMetrics(
        of: persons, days: days, metrics: metrics, reportsWear: reportsWear, into: sink)
    }
    try fail(at: .amidMetrics)
    return unusable
  }

  func readWorkoutDays(
    of persons: [UUID], days: ClosedRange<Day>, body: (_ person: Int, _ day: Day) -> Void
  ) throws -> UnusableRows {
    let unusable = try base.readWorkoutDays(of: persons, days: days, body: body)
    try fail(at: .afterWorkoutDays)
    return unusable
  }

  func alertStates(
    of persons: [UUID], in profile: Profile, touchedSince day: Day
  ) throws -> [PatternAlertState] {
    try fail(at: .alertStates)
    return try base.alertStates(of: persons, in: profile, touchedSince: day)
  }

  func familyMembers(of persons: [UUID]) throws -> [[FamilyMember]] {
    planned = storage.beginning(.families, of: persons)
    try fail(at: .familyMembers)
    return try base.familyMembers(of: persons)
  }
}

/// Passes the first rows on and loses the others, as a connection does that breaks.
private final class TruncatingSink<Sink: MetricRowSink>: MetricRowSink {
  private let sink: Sink
  private var left: Int

  init(_ sink: Sink, after count: Int) {
    self.sink = sink
    left = count
  }

  func index(ofSource name: String) -> Int { sink.index(ofSource: name) }

  var wantsCreation: Bool { sink.wantsCreation }

  func noteCreation(at instant: Timestamp?) { sink.noteCreation(at: instant) }

  func append(
    person: Int, day: Day, source: Int, values: UnsafeBufferPointer<Double>,
    isOtherPositive: Bool, updatedAt: Timestamp?
  ) {
    guard left > 0 else { return }
    left -= 1
    sink.append(
      person: person, day: day, source: source, values: values, isOtherPositive: isOtherPositive,
      updatedAt: updatedAt)
  }
}
