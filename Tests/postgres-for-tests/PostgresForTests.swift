import Foundation
import PostgresTestServer

/// Starts a server as tests do, prints its URL, and keeps it until standard input ends.
@main struct PostgresForTests {
  static func main() throws {
    let server = try PostgresServer()
    FileHandle.standardOutput.write(Data("\(server.url())\n".utf8))
    _ = try FileHandle.standardInput.readToEnd()
    withExtendedLifetime(server) {}
  }
}
