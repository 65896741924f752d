import ArgumentParser
import Foundation
import VigilModel
import VigilReport
import VigilStorage

struct PersonCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds persons in the database who were erased, such as after a backup was restored.",
    discussion: """
      Ends with 65 where there are any, unless --yes erases them again.

      Example:
        vigil person check
        vigil person check --list erased.csv --yes
      """)

  @Option(
    help: ArgumentHelp(
      "Another list, as vigil person erased --format csv writes it; --yes adds it to that of the database.",
      valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var list: String?

  @Flag(help: "Erases them again.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let key = try context.requiredErasureKey()
    let others = try list.map { try read($0) } ?? []
    let storage = try context.openCurrentDatabase(yes ? .existing : .existingReadOnly)
    try storage.requireRightsToErasePersons()
    let all = Set(try storage.erasedPersons() + others)
    let digests = Set(all.filter { $0.key == key.id }.map(\.digest))
    let found = try storage.personIDs().filter { digests.contains(key.digest(of: $0)) }
    if yes {
      try storage.record(others)
      for person in found { _ = try context.erase(person, from: storage, by: key) }
    }
    try context.write(
      ErasedPersonCheckReport(
        persons: found, entries: digests.count,
        entriesOfOtherKeys: Set(all.filter { $0.key != key.id }.map(\.digest)).count, isErased: yes,
        database: storage.displayName))
    if !found.isEmpty, !yes { throw CommandFailure(.badData) }
  }

  private func read(_ path: String) throws -> [ErasedPerson] {
    let place = CommandSurroundings.current.path(of: path)
    guard let text = try? String(contentsOf: URL(filePath: place), encoding: .utf8) else {
      throw CommandFailure(
        .usage, "--list \(path): the file cannot be read; check its name and permissions")
    }
    var lines = text.split(separator: "\n")
    guard lines.first.map(String.init) == ErasedPersonsReport.header else {
      throw CommandFailure(
        .badData,
        "--list \(path): it is no list of erased persons; make one with vigil person erased --format csv"
      )
    }
    lines.removeFirst()
    return try lines.enumerated().map { index, line in
      let fields = line.split(separator: ",").map(String.init)
      guard fields.count == 3, fields[0].count == 64, fields[1].count == 16,
        (fields[0] + fields[1]).allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
        let time = Timestamp(fields[2])
      else {
        throw CommandFailure(.badData, "--list \(path): line \(index + 2) is no entry of the list")
      }
      return ErasedPerson(digest: fields[0], key: fields[1], erasedAt: time)
    }
  }
}
