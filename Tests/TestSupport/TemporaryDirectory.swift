public import Foundation

/// A folder of its own for one test.
public struct TemporaryDirectory: Sendable {
  public let path: String

  /// Creates an empty folder that stays until `remove` is called.
  public init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("vigil-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  /// Creates a folder, hands it to `body`, and removes it with all it holds.
  public static func with<Result>(
    _ body: (TemporaryDirectory) throws -> Result
  ) throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    return try body(directory)
  }

  /// The same for a `body` that waits.
  public static func with<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TemporaryDirectory) async throws -> Result
  ) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    return try await body(directory)
  }

  /// The path of something in this folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  public func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  /// Names of what is in this folder, sorted.
  public func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  public func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}
