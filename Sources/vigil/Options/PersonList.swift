import Foundation
import VigilModel

extension UUID {
  /// A person's id as people write it: a UUID, or the id that the person had where the data come
  /// from, which an import turns into a UUID in the same way.
  init(person text: String) {
    self = UUID(uuidString: text) ?? UUID(name: text)
  }
}

/// Reads `--users FILE`.
enum PersonList {
  /// Ids of the file: one a line, blank lines and `#` lines apart.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read (64) or names nobody (65).
  static func read(path: String) throws -> Set<UUID> {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CommandFailure(.usage, "--users \(path): the file cannot be read; check its name")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CommandFailure(.badData, "--users \(path): the file is not UTF-8 text")
    }
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    let persons = Set(
      lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map { UUID(person: $0) })
    guard !persons.isEmpty else {
      throw CommandFailure(.badData, "--users \(path): the file names nobody; write one id a line")
    }
    return persons
  }
}
