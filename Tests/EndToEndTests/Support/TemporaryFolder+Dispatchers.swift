import Foundation
import TestDatabases
import TestSupport
import VigilModel

extension TemporaryFolder {
  /// Starts `vigil dispatch` with the file `providers.json` of this folder, until it is stopped or killed.
  ///
  /// - Parameter log: Gets what it says; nil drops it.
  func startDispatcher(log: FileHandle? = nil) throws -> Process {
    let process = Process()
    process.executableURL = try BuiltExecutable.url("vigil")
    process.arguments = ["dispatch", "--providers", "providers.json", "--quiet"]
    process.currentDirectoryURL = url
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": url.path]
      .merging(database.environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = log ?? FileHandle.nullDevice
    try Process.startingAlone { try process.run() }
    return process
  }
}

extension Timestamp {
  /// The clock of the machine, which all processes share.
  ///
  /// One that begins anew with a process would be behind those of others, and take their leases for ended.
  static var ofMachine: Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
  }
}
