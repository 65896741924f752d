import Foundation
import VigilModel
import VigilStorage

/// Persons as people write them: by UUID, or by the id they have where their data come from.
struct PersonList: Hashable, Sendable {
  /// How messages name the list, such as `--users FILE`.
  var name: String
  var texts: Set<String>

  /// Reads one id a line, blank lines and `#` lines apart.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read (64) or names nobody (65).
  init(path: String) throws {
    name = "--users \(path)"
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw CommandFailure(.usage, "\(name): the file cannot be read; check its name")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CommandFailure(.badData, "\(name): the file is not UTF-8 text")
    }
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    texts = Set(lines.filter { !$0.isEmpty && !$0.hasPrefix("#") })
    guard !texts.isEmpty else {
      throw CommandFailure(.badData, "\(name): the file names nobody; write one id a line")
    }
  }

  init(user text: String) {
    name = "--user \(text)"
    texts = [text]
  }

  /// The ids of the persons; UUIDs are taken as they are.
  ///
  /// - Throws: `CommandFailure` (65) where an original id is nobody's in `storage`.
  func ids(in storage: some Storage) throws -> Set<UUID> {
    let uuids = texts.compactMap { UUID(uuidString: $0) }
    let originals = texts.filter { UUID(uuidString: $0) == nil }
    guard !originals.isEmpty else { return Set(uuids) }
    let known = try storage.persons(withExternalIDs: originals)
    guard known.count == originals.count else {
      throw CommandFailure(
        .badData,
        "\(name): \(originals.count - known.count) of \(texts.count) ids are nobody's in"
          + " \(storage.displayName); give UUIDs, or original ids as in users.external_id")
    }
    return Set(uuids).union(known.values)
  }
}
