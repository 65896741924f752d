import Foundation
import StorageConformance
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilSQLite

@Suite struct SQLiteImportWriterTests {
  #if os(Linux)
    /// What a statement may have to take back is a page for each row: an import of a million rows wrote 10 GB of it.
    @Test func rowsAreWrittenToNoFileButTheDatabase() throws {
      try SQLiteFixture.with { fixture in
        let day = try #require(Day("2026-01-01"))
        let columns = ["user_id", "metric_date", "source", "steps"]
        let written = try fixture.storage.importRows { writer in
          let now = Timestamp(microseconds: 1_767_225_600_000_000)
          let person = UUID(name: "person")
          try writer.ensureUser(person, externalID: nil, now: now)
          let before = try bytesWrittenByThread()
          let inserter = try writer.inserter(
            into: .wearableDailyMetrics, columns: columns, now: now)
          for number in 0..<500 {
            try inserter.upsert([
              .uuid(person), .day(day + number), .text("watch"), .real(Double(number)),
            ])
          }
          return try bytesWrittenByThread() - before
        }
        // The database itself gets them when the transaction ends.
        #expect(written < 500 * 1_000, "\(written) bytes")
      }
    }

    private func bytesWrittenByThread() throws -> Int {
      let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
      let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("wchar:") })
      return try #require(Int(line.split(separator: " ")[1]))
    }
  #endif
}
