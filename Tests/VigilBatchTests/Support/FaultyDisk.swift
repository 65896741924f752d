import CFaultyDisk
import Foundation
import Testing

/// The disk of one folder, of whose operations one fails, or all from one on.
struct FaultyDisk {
  static let faults = [
    faulty_disk_error, faulty_disk_lost_answer, faulty_disk_gone, faulty_disk_full,
  ]

  private let folder: String

  /// - Parameter folder: A folder whose files SQLite opens after this.
  init(_ folder: String) throws {
    let isInstalled = faulty_disk_install() == 0
    try #require(isInstalled)
    self.folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
  }

  /// Carries out `body` while one operation meets a fault, and returns the number of operations.
  ///
  /// - Parameter operation: Counted from 1; 0 is none.
  @discardableResult
  func failing(
    _ fault: faulty_disk_fault = faulty_disk_error, at operation: Int, _ body: () throws -> Void
  ) throws -> Int {
    let isPlanned = faulty_disk_plan(folder, fault, UInt64(operation)) == 1
    try #require(isPlanned)
    defer { faulty_disk_forget(folder) }
    try body()
    return Int(faulty_disk_operations(folder))
  }
}
