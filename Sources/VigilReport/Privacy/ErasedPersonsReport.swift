public import Foundation
import VigilModel
public import VigilStorage

/// The output of `vigil person erased`: the list of those who were erased, without their ids, and the requests.
public struct ErasedPersonsReport: Sendable {
  public let erased: [ErasedPerson]
  public let requests: [ErasureRequest]

  public init(erased: [ErasedPerson], requests: [ErasureRequest]) {
    self.erased = erased
    self.requests = requests
  }
}

extension ErasedPersonsReport: ListReport {
  public func text(style: TextStyle) -> String {
    var text = ""
    if !requests.isEmpty {
      var table = TextTable([.init("To be erased"), .init("From"), .init("Requested", rank: 1)])
      table.rows = requests.map {
        [
          .init($0.person.lowercased), .init($0.dueAt.minuteText), .init($0.requestedAt.minuteText),
        ]
      }
      text += table.render(style) + "\n"
    }
    guard !erased.isEmpty else { return text + "No person was erased.\n" }
    var table = TextTable([.init("Digest"), .init("Key", rank: 1), .init("Erased")])
    table.rows = erased.map {
      [.init(String($0.digest.prefix(16))), .init($0.key), .init($0.erasedAt.minuteText)]
    }
    return text + table.render(style) + "\n"
      + NumberText.count(erased.count, "person was erased.\n", "persons were erased.\n")
  }

  /// The list alone, which `vigil person check --list` reads.
  public func csv() -> String {
    "\(Self.header)\n"
      + erased.map { "\($0.digest),\($0.key),\($0.erasedAt)\n" }.joined()
  }

  /// The first line of the list as CSV.
  public static let header = "person_digest,key_id,erased_at"

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "erased": erased.map { person -> JSONFields in
        [
          "person_digest": person.digest, "key_id": person.key, "erased_at": person.erasedAt,
        ]
      },
      "requests": requests.map { request -> JSONFields in
        [
          "person": request.person, "requested_at": request.requestedAt, "due_at": request.dueAt,
        ]
      },
    ]
    try fields.encode(to: encoder)
  }
}

/// The output of `vigil person check`: persons of the database who were erased once.
public struct ErasedPersonCheckReport: Sendable {
  public let persons: [UUID]
  public let entries: Int
  /// Entries that this key cannot check.
  public let entriesOfOtherKeys: Int
  public let isErased: Bool
  /// The name of the database in messages.
  public let database: String

  public init(
    persons: [UUID], entries: Int, entriesOfOtherKeys: Int, isErased: Bool, database: String
  ) {
    self.persons = persons
    self.entries = entries
    self.entriesOfOtherKeys = entriesOfOtherKeys
    self.isErased = isErased
    self.database = database
  }
}

extension ErasedPersonCheckReport: Report {
  public func text(style: TextStyle) -> String {
    let database = database.terminalSafe
    let found = NumberText.count(persons.count, "person")
    var text =
      persons.isEmpty
      ? "None of the \(NumberText.count(entries, "erased person")) is in \(database).\n"
      : isErased
        ? "Erased \(found) again from \(database).\n"
        : "\(found) of \(database) \(persons.count == 1 ? "was" : "were") erased before:\n"
          + persons.map { "  \($0.lowercased)\n" }.joined() + "Next: --yes erases them again.\n"
    if entriesOfOtherKeys > 0 {
      text +=
        "\(NumberText.count(entriesOfOtherKeys, "entry", "entries")) of the list could not be checked:"
        + " another key made them.\n"
    }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "persons": persons,
      "entries": entries,
      "entries_of_other_keys": entriesOfOtherKeys,
      "is_erased": isErased,
    ]
    try fields.encode(to: encoder)
  }
}
