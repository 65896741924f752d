import Foundation
import VigilModel
import VigilStorage

/// Persons as people write them: by UUID or its first eight digits, which lists show, or by the id they have where
/// their data come from.
struct PersonList: Hashable, Sendable {
  /// The name of the list in messages, such as `--users FILE`.
  var name: String
  /// Each id, and the first line of the file that holds it; 0 where there is no file.
  private var lines: [String: Int]

  var texts: Set<String> { Set(lines.keys) }

  /// Reads one id a line, blank lines and `#` lines apart; `-` stands for standard input.
  ///
  /// - Throws: `CommandFailure` where the file cannot be read (64) or names no person (65).
  init(path: String) throws {
    name = "--users \(path)"
    let surroundings = CommandSurroundings.current
    let data: Data
    do {
      data =
        path == "-"
        ? try FileHandle(fileDescriptor: surroundings.standardInput).readToEnd() ?? Data()
        : try Data(contentsOf: URL(filePath: surroundings.path(of: path)))
    } catch {
      throw CommandFailure(
        .usage, "\(name): the file cannot be read; check its name and permissions")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw CommandFailure(.badData, "\(name): the file is not UTF-8 text")
    }
    lines = [:]
    let blank = CharacterSet.whitespaces.union(["\u{FEFF}"])
    for (index, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      let id = line.trimmingCharacters(in: blank)
      if id.isEmpty || id.hasPrefix("#") || lines[id] != nil { continue }
      lines[id] = index + 1
    }
    guard !lines.isEmpty else {
      throw CommandFailure(.badData, "\(name): the file names no person; write one id a line")
    }
  }

  /// Persons that a file names among other things.
  ///
  /// - Parameters:
  ///   - name: The option and the file.
  ///   - lines: Each id, and the first line that holds it.
  init(name: String, lines: [String: Int]) {
    self.name = name
    self.lines = lines
  }

  /// One person.
  ///
  /// - Parameter option: The option that names them, such as `--user`.
  init(option: String, id: String) {
    name = "\(option) \(id)"
    lines = [id: 0]
  }

  /// The ids of the persons.
  ///
  /// - Throws: `CommandFailure` (65) where `storage` has no person with one of the ids, or more than one.
  func ids(in storage: some Storage) throws -> Set<UUID> {
    let persons = try persons(in: storage)
    let unknown = texts.subtracting(persons.keys)
    guard unknown.isEmpty else {
      throw CommandFailure(
        .badData,
        "\(name): \(unknown.count) of \(texts.count) ids belong to no person in"
          + " \(storage.displayName)\(places(of: unknown)); give UUIDs, their first"
          + " eight digits, or original ids as in users.external_id")
    }
    return Set(persons.values)
  }

  /// By id, the person; ids of no person are missing.
  ///
  /// - Throws: `CommandFailure` (65) where an id is that of more than one person.
  func persons(in storage: some Storage) throws -> [String: UUID] {
    let uuids = Dictionary(
      texts.compactMap { text in UUID(uuidString: text).map { (text, $0) } },
      uniquingKeysWith: { $1 })
    let originals = texts.filter { uuids[$0] == nil }
    let present = try storage.persons(among: Set(uuids.values))
    let known = originals.isEmpty ? [:] : try storage.persons(withExternalIDs: originals)
    var persons = uuids.filter { present.contains($0.value) }.merging(known) { $1 }
    for text in originals.sorted() {
      guard text.count >= Self.shownDigits, let prefix = UUIDPrefix(text) else { continue }
      let named = known[text].map { [$0] } ?? []
      let found = try storage.persons(beginningWith: prefix, limit: 2).filter {
        !named.contains($0)
      }
      let all = named + found
      if all.count > 1 { throw ambiguity(of: text, between: all, isOriginal: !named.isEmpty) }
      persons[text] = all.first
    }
    return persons
  }

  /// The number of digits by which lists show persons.
  private static let shownDigits = 8

  private func ambiguity(
    of text: String, between persons: [UUID], isOriginal: Bool
  ) -> CommandFailure {
    let (first, second) = (persons[0].lowercased, persons[1].lowercased)
    let words =
      isOriginal
      ? "is the original id of \(first), and \(second) begins like this; give a UUID"
      : "may be \(first) or \(second); give more digits"
    return CommandFailure(.badData, "\(name): one id\(places(of: [text])) \(words)")
  }

  /// The lines that hold `texts`; the texts are not repeated, because an id may be a name.
  private func places(of texts: Set<String>) -> String {
    let numbers = texts.compactMap { lines[$0] }.filter { $0 > 0 }.sorted()
    guard !numbers.isEmpty else { return "" }
    let shown = numbers.prefix(10).map(String.init).joined(separator: ", ")
    let rest = numbers.count > 10 ? " and \(numbers.count - 10) more" : ""
    return " (\(numbers.count == 1 ? "line" : "lines") \(shown)\(rest))"
  }
}
