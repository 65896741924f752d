import Foundation
import GRDB
import TestSupport
import VigilModel
import VigilSQLite
import VigilStorage

extension SQLiteFixture {
  /// Adds persons with derived ids, and returns these.
  @discardableResult
  func addManyPersons(_ count: Int, to storage: (any Storage)? = nil) throws -> [UUID] {
    let persons = (0..<count).map { UUID(name: "person \($0)") }
    try (storage ?? self.storage).importRows { writer in
      for (number, id) in persons.enumerated() {
        try writer.ensureUser(id, externalID: "ext-\(number)", now: .epoch)
      }
    }
    return persons
  }

  /// Copies the database into a folder of its own, closed, and hands `body` that folder.
  func closed(_ body: (TemporaryDirectory) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        _ = try db.checkpoint(.truncate)
      }
      try FileManager.default.copyItem(atPath: path, toPath: directory.path("vigil.sqlite"))
      try body(directory)
    }
  }
}
