import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

// One after the other: a child of one test would inherit what another waits for.
@Suite("The run lock of a file", .serialized)
struct FileLockTests {
  @Test("a lock ends with the process that holds it, however that ends")
  func diesWithItsProcess() throws {
    try SQLiteFixture.with { (fixture) throws in
      let holder = try LockingProcess(path: fixture.path + ".lock")
      let refusal = #expect(throws: StorageError.self) {
        _ = try fixture.storage.acquireRunLock(for: UUID())
      }
      #expect(refusal?.code == .locked)
      let finding = fixture.storage.diagnose().first { $0.check == "run lock" }
      #expect(finding?.status == .warning)
      holder.kill()
      // The file is still there, and locks nothing.
      #expect(FileManager.default.fileExists(atPath: fixture.path + ".lock"))
      let lock = try fixture.storage.acquireRunLock(for: UUID())
      withExtendedLifetime(lock) {}
    }
  }

  @Test("a child process does not inherit the lock")
  func isNotInherited() throws {
    try SQLiteFixture.with { (fixture) throws in
      var lock: (any RunLock)? = try fixture.storage.acquireRunLock(for: UUID())
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/sleep")
      child.arguments = ["60"]
      try Process.startingAlone { try child.run() }
      defer {
        // Not SIGTERM: children inherit the signal mask of a test's thread.
        kill(child.processIdentifier, SIGKILL)
        child.waitUntilExit()
      }
      #expect(lock != nil)
      lock = nil
      let next = try fixture.storage.acquireRunLock(for: UUID())
      withExtendedLifetime(next) {}
    }
  }

  @Test("doctor names the run that holds the lock, and its process")
  func diagnosis() throws {
    try SQLiteFixture.with { (fixture) throws in
      let run = UUID(name: "the run")
      let lock = try fixture.storage.acquireRunLock(for: run)
      let finding = fixture.storage.diagnose().first { $0.check == "run lock" }
      #expect(finding?.detail.contains(run.lowercased) == true)
      #expect(finding?.detail.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
      withExtendedLifetime(lock) {}
    }
  }
}

/// Another process that holds an `flock`, as a run of another shell would.
private final class LockingProcess {
  private let process = Process()

  init(path: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    process.arguments = ["--no-fork", path, "sh", "-c", "echo held; exec sleep 60"]
    let output = try Process.startingAlone {
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return output
    }
    // Says so once it has the lock.
    _ = output.fileHandleForReading.availableData
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
