import VigilModel
public import VigilStorage

/// The output of `vigil migrate`.
public struct MigrationsReport: Sendable {
  public enum Action: Sendable {
    case status
    case applied(MigrationOutcome)
    case takenBack(MigrationOutcome)
  }

  public let database: String
  public let action: Action
  /// The migrations and their present states.
  public let migrations: [MigrationStatus]

  public init(database: String, action: Action, migrations: [MigrationStatus]) {
    self.database = database
    self.action = action
    self.migrations = migrations
  }

  private var outcome: MigrationOutcome? {
    switch action {
    case .status: nil
    case .applied(let outcome), .takenBack(let outcome): outcome
    }
  }
}

extension MigrationsReport: Report {
  public func text(style: TextStyle) -> String {
    var lines = [headline]
    if let backup = outcome?.backupPath {
      lines.append("The file as it was: \(backup.terminalSafe)")
    }
    switch action {
    case .status:
      var table = TextTable([.init("Number", .right), .init("Name"), .init("State")])
      table.rows = migrations.map {
        [
          .init(String($0.number)), .init($0.name),
          .init($0.state.text, $0.state.isTrouble ? .high : nil),
        ]
      }
      return (migrations.isEmpty ? "" : table.render(style) + "\n") + headline + "\n"
    case .applied(let outcome) where !outcome.numbers.isEmpty:
      lines.append("Next: vigil import csv DIR brings data in.")
    case .applied, .takenBack:
      break
    }
    lines += (outcome?.warnings ?? []).map { warning in
      "Warning: \(warning.detail)\(warning.remedy.map { "; \($0.wording)" } ?? "")"
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var headline: String {
    let database = database.terminalSafe
    switch action {
    case .status:
      let pending = migrations.count { $0.state == .pending }
      if migrations.contains(where: \.state.isTrouble) {
        return "\(database) does not fit this version of vigil; use the version that wrote it."
      }
      return pending == 0
        ? "\(database) is up to date."
        : "\(database): \(NumberText.count(pending, "migration")) pending."
          + " Next: vigil migrate."
    case .applied(let outcome):
      return outcome.numbers.isEmpty
        ? "\(database) is up to date; nothing to do."
        : "\(database): applied \(Self.list(outcome.numbers))."
    case .takenBack(let outcome):
      return outcome.numbers.isEmpty
        ? "\(database): no migration to take back."
        : "\(database): took back \(Self.list(outcome.numbers))."
    }
  }

  private static func list(_ numbers: [Int]) -> String {
    "migration\(numbers.count == 1 ? "" : "s") "
      + numbers.map(String.init).joined(separator: ", ")
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "changed": outcome?.numbers ?? [],
      "backup": outcome?.backupPath,
      "warnings": (outcome?.warnings ?? []).map(\.fields),
      "migrations": migrations.map { migration -> JSONFields in
        [
          "number": migration.number,
          "name": migration.name,
          "checksum": migration.checksum,
          "state": migration.state.word,
          "applied_at": migration.state.time,
        ]
      },
    ]
    try fields.encode(to: encoder)
  }
}

extension MigrationStatus.State {
  fileprivate var word: String {
    switch self {
    case .pending: "pending"
    case .applied: "applied"
    case .changed: "changed"
    case .unknown: "unknown"
    }
  }

  fileprivate var time: Timestamp? {
    switch self {
    case .pending: nil
    case .applied(let time), .changed(let time), .unknown(let time): time
    }
  }

  fileprivate var isTrouble: Bool {
    switch self {
    case .pending, .applied: false
    case .changed, .unknown: true
    }
  }

  fileprivate var text: String {
    switch self {
    case .pending: "pending"
    case .applied(let time): "applied \(time.minuteText)"
    case .changed(let time): "applied \(time.minuteText), with another text than this version has"
    case .unknown(let time): "applied \(time.minuteText) by a version that knows more"
    }
  }
}
