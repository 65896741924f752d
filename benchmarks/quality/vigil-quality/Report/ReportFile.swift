import Foundation
import VigilFiles

/// A Markdown file whose prose people write and whose tables a program does.
///
/// A table stands between `<!-- measured: NAME -->` and `<!-- end -->`.
struct ReportFile {
  let path: String
  private(set) var text: String

  init(_ path: String) throws {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw QualityError("cannot read \(path)")
    }
    self.path = path
    self.text = text
  }

  /// Puts a table into its place.
  ///
  /// - Throws: `QualityError` where the file has no place of this name.
  mutating func put(_ table: String, at name: String) throws {
    let opening = "<!-- measured: \(name) -->"
    guard let start = text.range(of: opening),
      let end = text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex)
    else { throw QualityError("\(path) has no \(opening) with <!-- end --> after it") }
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: "\n\(table)\n")
  }

  func write() throws {
    try NewFile(path: path, at: path, replaces: true).write(text)
  }
}
