import CFiles
import Foundation
import VigilFiles
import VigilReport

/// The file of `--metrics-file`, which node_exporter's textfile collector reads at any moment: it is
/// replaced as a whole.
struct MetricsFile: Sendable {
  /// As the user named it.
  let path: String
  /// Its place in the file system.
  private let place: String

  /// More than Vigil ever writes; a larger file is not Vigil's.
  private static let largestSize = 1 << 20

  /// - Parameters:
  ///   - path: The name of the file.
  ///   - surroundings: Those of the command.
  init(path: String, in surroundings: CommandSurroundings = .current) {
    self.path = path
    place = surroundings.path(of: path)
  }

  /// Fails where `update` would fail, and leaves everything as it is.
  ///
  /// - Throws: `CommandFailure` (73).
  func requireWritable() throws {
    if try earlier().condition == .foreign {
      throw failure("what it holds is not Vigil's; name another file, or remove this one")
    }
    _ = try newFile()
  }

  /// The contents of the file; empty where there is no file.
  ///
  /// - Throws: `CommandFailure` (73) where it cannot be read or is no ordinary file.
  func earlier() throws -> EarlierRunMetrics {
    let size = vigil_size_at(place)
    guard size != -1 else {
      guard errno == ENOENT else { throw systemFailure("cannot be read") }
      return EarlierRunMetrics(text: "")
    }
    guard size >= 0 else {
      throw failure("is no ordinary file; name another one")
    }
    guard size <= Self.largestSize else {
      throw failure("what it holds is not Vigil's; name another file, or remove this one")
    }
    do {
      return EarlierRunMetrics(
        text: String(decoding: try Data(contentsOf: URL(filePath: place)), as: UTF8.self))
    } catch {
      throw failure("cannot be read; check its permissions")
    }
  }

  /// Replaces the file by what `metrics` makes of the present one; an error leaves it unchanged.
  ///
  /// The new contents are locked from before the present ones are read: a command that is refused because another
  /// one runs may end at the same moment as that one.
  ///
  /// - Throws: `CommandFailure` (73).
  func update(_ metrics: (EarlierRunMetrics) -> RunMetrics) throws {
    try replace { try metrics(earlier()).text }
  }

  /// Replaces the file by `text`.
  ///
  /// - Throws: `CommandFailure` (73).
  func replace(by text: String) throws { try replace { text } }

  private func replace(_ text: () throws -> String) throws {
    let file = try newFile()
    do {
      let stream = try NewFileStream(file, waits: true)
      try stream.write(Array(text().utf8))
      try stream.publish()
    } catch let error as NewFileError {
      throw failure(of: error)
    }
  }

  /// The collector may run as another user, so that all may read the file.
  private func newFile() throws -> NewFile {
    do {
      return try NewFile(path: path, at: place, replaces: true, readers: .everyone)
    } catch {
      throw failure(of: error)
    }
  }

  private func failure(of error: NewFileError) -> CommandFailure {
    failure("\(error.fault); \(error.advice)")
  }

  private func failure(_ reason: String) -> CommandFailure {
    CommandFailure(.cannotCreate, "metrics file \(path): \(reason)")
  }

  /// A failure that `errno` explains.
  private func systemFailure(_ what: String) -> CommandFailure {
    let reason = String(cString: strerror(errno))
    return failure("\(what) (\(reason)); check its folder, permissions and free space")
  }
}
