import CStart
import Foundation

/// The limit of the address space, as `ulimit -v` sets it.
enum AddressSpace {
  /// Bytes that a thread which computes needs: its stack, its part of the heap and a buffer of the BLAS library,
  /// of which most stays untouched.
  static let ofThread: UInt64 = 208 << 20
  /// Bytes that a command needs besides.
  static let ofCommand: UInt64 = 64 << 20

  /// Returns the number of threads that may compute at once: one for each processor, or as many as the limit leaves
  /// room for.
  ///
  /// Libraries that get no memory crash or wait for ever, so the room is looked for before they need it.
  ///
  /// - Throws: `CommandFailure` (70) where there is no room for one.
  static func threads() throws -> Int {
    let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let limit = vigil_address_space_limit()
    guard limit >= 0 else { return processors }
    let fitting = (1...processors).last { threads in
      vigil_has_address_space(ofCommand + UInt64(threads) * ofThread) != 0
    }
    guard let fitting else {
      throw CommandFailure(
        .internalError,
        "not enough memory: the limit of the address space is \(limit >> 20) MiB, and this command needs"
          + " \((ofCommand + ofThread) >> 20) MiB more than it has; raise the limit (ulimit -v)")
    }
    return fitting
  }
}
