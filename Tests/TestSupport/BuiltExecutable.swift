public import Foundation

/// An executable of the build that the tests are part of.
public enum BuiltExecutable {
  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) lies not beside the tests; build the package first" }
  }

  /// The path of `name`: products of one build are in one folder, beside the test bundle or beside
  /// the test process.
  public static func url(_ name: String) throws -> URL {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let processes = [
      Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) },
    ]
    let candidates = (bundles + processes.compactMap { $0 }).map {
      $0.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }
    guard
      let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
    else { throw Missing(name: name) }
    return found
  }
}
