import Synchronization
import VigilDetection
import VigilModel

/// The target of a `vigil_evaluator` of C: an evaluator that one thread at a time uses.
final class Handle: @unchecked Sendable {
  /// The id of the profile as a C string.
  let profileID: UnsafeMutablePointer<CChar>

  // Used under the lock only, hence the unchecked conformance.
  private let evaluator: Evaluator
  private let lock = Mutex(())

  init(_ evaluator: Evaluator) {
    self.evaluator = evaluator
    let text = Array(evaluator.thresholds.profile.id.utf8CString)
    profileID = .allocate(capacity: text.count)
    profileID.initialize(from: text, count: text.count)
  }

  deinit {
    profileID.deallocate()
  }

  /// The pointer for C, which owns it.
  var retained: OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  static func from(_ pointer: OpaquePointer) -> Handle {
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  static func release(_ pointer: OpaquePointer) {
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }

  /// Returns the result of `body`.
  func result<Result>(_ body: (Evaluator) throws(Failure) -> Result) throws(Failure) -> Result {
    var result: Result?
    try use { evaluator throws(Failure) in result = try body(evaluator) }
    guard let result else { preconditionFailure("use neither ran its body nor threw") }
    return result
  }

  func use(_ body: (Evaluator) throws(Failure) -> Void) throws(Failure) {
    var failure: Failure?
    lock.withLock { _ in
      do throws(Failure) { try body(evaluator) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
