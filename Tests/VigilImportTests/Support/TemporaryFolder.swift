import Foundation

/// A folder of its own for each test, removed with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("vigil-import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let file = self.file(name)
    try data.write(to: URL(fileURLWithPath: file))
    return file
  }

  func file(_ name: String) -> String {
    URL(fileURLWithPath: path).appendingPathComponent(name).path
  }

  var fileNames: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// Files beside the package that are not part of it.
func sharedFile(_ name: String) -> String {
  packageRoot.deletingLastPathComponent().appendingPathComponent("shared/\(name)").path
}

let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
