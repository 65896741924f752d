public import Foundation
public import Testing

/// Expects `text` to be what the golden file `Snapshots/<name>` of the calling test's target holds.
///
/// With `VIGIL_RECORD_SNAPSHOTS=1` the file is written anew and the test fails, so that a recording
/// is never mistaken for a check.
///
/// - Throws: An error of the file system where the file cannot be written.
public func expectSnapshot(
  _ text: String, _ name: String, test: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = goldenFile(name, of: test)
  if ProcessInfo.processInfo.environment["VIGIL_RECORD_SNAPSHOTS"] == "1" {
    try Data(text.utf8).write(to: file)
    Issue.record(
      "recorded \(name); look at the difference and commit it", sourceLocation: sourceLocation)
    return
  }
  guard let data = try? Data(contentsOf: file) else {
    Issue.record(
      "\(name) is missing; VIGIL_RECORD_SNAPSHOTS=1 records it", sourceLocation: sourceLocation)
    return
  }
  #expect(text == String(decoding: data, as: UTF8.self), sourceLocation: sourceLocation)
}

/// The golden file of a name, in the folder `Snapshots` of the target that a test's file belongs to.
///
/// - Parameter test: A file of `Tests/<target>`, in whatever folder of it.
public func goldenFile(_ name: String, of test: String = #filePath) -> URL {
  var folder = URL(filePath: test).deletingLastPathComponent()
  while folder.deletingLastPathComponent().lastPathComponent != "Tests", folder.path != "/" {
    folder.deleteLastPathComponent()
  }
  return folder.appending(path: "Snapshots").appending(path: name)
}
