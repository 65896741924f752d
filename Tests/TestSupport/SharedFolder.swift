public import Foundation

/// Specification fixtures and public data sets, which lie beside the repository where there are any.
public enum SharedFolder {
  private static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  public static let root = packageRoot.deletingLastPathComponent().appending(path: "shared")

  /// The repository's own folder, for files that tests read from it.
  public static let repository = packageRoot

  /// A file or folder, or nil where it is absent; tests are then skipped with `absenceNote`.
  public static func url(_ path: String) -> URL? {
    let url = root.appending(path: path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  public static let isPresent = url("spec/fixtures/detection.json") != nil

  public static let absenceNote = "skipped: no folder ../shared with fixtures and data sets"
}
