public import Foundation
public import VigilModel
public import VigilStorage

/// The output of `vigil person erase`: the rows about one person, and the step taken.
public struct ErasureReport: Sendable {
  public let person: UUID
  public let step: Step
  public let rows: [PersonalRowCount]
  /// The places where the id still stands; nil where it was not searched.
  public let traces: [PersonTrace]?
  /// The name of the database in messages.
  public let database: String

  public enum Step: Sendable, Hashable {
    /// Nothing was changed.
    case planned
    /// Requested, to be carried out by the first night from then on.
    case requested(dueAt: Timestamp)
    /// The request was taken back, or there was none.
    case revoked(hadRequest: Bool)
    case erased
    /// Now or before, and no row was left.
    case erasedBefore(Timestamp)
  }

  public init(
    person: UUID, step: Step, rows: [PersonalRowCount] = [], traces: [PersonTrace]? = nil,
    database: String
  ) {
    self.person = person
    self.step = step
    self.rows = rows
    self.traces = traces
    self.database = database
  }

  private var ownRows: [PersonalRowCount] { rows.filter { !$0.isForeign } }
  private var foreignRows: [PersonalRowCount] { rows.filter(\.isForeign) }
}

extension ErasureReport: Report {
  public func text(style: TextStyle) -> String {
    let id = person.lowercased
    var text = heading(id).wrapped() + "\n"
    if !ownRows.isEmpty {
      text += TextTable(pairs: ownRows.map { ($0.table, NumberText.count($0.rows)) }).render(style)
    }
    if !foreignRows.isEmpty {
      text += "Tables and views of your own, whose rows are yours to remove:\n"
      text += TextTable(pairs: foreignRows.map { ($0.table, NumberText.count($0.rows)) }).render(
        style)
    }
    if let traces { text += tracesText(traces) }
    if case .planned = step {
      text +=
        "Next: vigil person erase \(id) --yes, or --after 30d --yes for a time to revoke it.\n"
    }
    return text
  }

  private func heading(_ id: String) -> String {
    let rows = NumberText.count(ownRows.reduce(0) { $0 + $1.rows }, "row")
    let database = database.terminalSafe
    return switch step {
    case .planned: "Nothing was changed. Would erase \(rows) about \(id) from \(database):"
    case .requested(let due):
      "The first night from \(due.minuteText) UTC on erases \(id) from \(database); at present these"
        + " are \(rows). Until then: vigil person erase \(id) --revoke"
    case .revoked(hadRequest: true): "\(id) is not to be erased any more."
    case .revoked(hadRequest: false): "There was no request to erase \(id)."
    case .erased: "Erased \(rows) about \(id) from \(database)."
    case .erasedBefore(let time):
      "\(id) was erased on \(time.minuteText) UTC; \(database) has no row about this person."
    }
  }

  private func tracesText(_ traces: [PersonTrace]) -> String {
    guard !traces.isEmpty else { return "A search for the id finds nothing.\n" }
    return traces.map { trace in
      switch trace {
      case .table(let name, let rows):
        "The id is still in \(NumberText.count(rows, "row")) of \(name).\n"
      case .file(let path):
        "The id is still in unused pages of \(path.terminalSafe): another process reads the file. Run"
          + " the command again when it has ended.\n"
      case .backup(let path): "The backup \(path.terminalSafe) still holds the person.\n"
      }
    }.joined()
  }

  public func encode(to encoder: any Encoder) throws {
    let (word, due, erased): (String, Timestamp?, Timestamp?) =
      switch step {
      case .planned: ("planned", nil, nil)
      case .requested(let due): ("requested", due, nil)
      case .revoked(let hadRequest): (hadRequest ? "revoked" : "not_requested", nil, nil)
      case .erased: ("erased", nil, nil)
      case .erasedBefore(let time): ("erased_before", nil, time)
      }
    let fields: JSONFields = [
      "database": database,
      "person": person,
      "step": word,
      "due_at": due,
      "erased_at": erased,
      "rows": rows.map { row -> JSONFields in
        ["table": row.table, "rows": row.rows, "is_vigils": !row.isForeign]
      },
      // Null where the id was not searched.
      "traces": traces?.map(\.fields),
    ]
    try fields.encode(to: encoder)
  }
}

extension PersonTrace {
  fileprivate var fields: JSONFields {
    switch self {
    case .table(let name, let rows): ["place": name, "kind": "table", "rows": rows]
    case .file(let path): ["place": path, "kind": "file", "rows": JSONValue.null]
    case .backup(let path): ["place": path, "kind": "backup", "rows": JSONValue.null]
    }
  }
}
