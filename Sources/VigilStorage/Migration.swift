public import VigilModel

/// One numbered step of the schema, as SQL for one kind of database.
public struct Migration: Sendable, Hashable {
  /// Counted from 1 without gaps; the same number in every dialect.
  public var number: Int
  public var name: String
  public var up: String
  public var down: String

  public init(number: Int, name: String, up: String, down: String) {
    self.number = number
    self.name = name
    self.up = up
    self.down = down
  }

  /// The tables that a night fills anew where they are empty.
  private static let made: Set = [
    "metric_history", "medication_history", "history_changes", "history_state", "calm_digests",
  ]

  /// The tables that it creates and its way back drops, without those of locks, and of what nights make of other rows.
  public var tables: [String] {
    up.matches(of: /CREATE TABLE (?:IF NOT EXISTS )?(?:\{\{schema\}\}\.)?(\w+)/).map {
      String($0.1)
    }
    .filter { !$0.hasSuffix("_lock") && !$0.hasSuffix("_locks") && !Self.made.contains($0) }
  }
}

/// Whether a migration of this version is applied to a database.
public struct MigrationStatus: Sendable, Hashable {
  public var number: Int
  public var name: String
  /// SHA-256 of the SQL text, lower-case hexadecimal.
  public var checksum: String
  public var state: State

  public init(number: Int, name: String, checksum: String, state: State) {
    self.number = number
    self.name = name
    self.checksum = checksum
    self.state = state
  }

  public enum State: Sendable, Hashable {
    case pending
    case applied(at: Timestamp)
    /// Applied, but with another text than this version has.
    case changed(at: Timestamp)
    /// Applied by a newer version than this one.
    case unknown(at: Timestamp)
  }
}

public struct MigrationOutcome: Sendable, Hashable {
  /// Numbers in the order in which they were applied or taken back.
  public var numbers: [Int]
  /// The path of the copy of the file before the migration.
  public var backupPath: String?
  /// Findings about the database's rights, for the operator.
  public var warnings: [Finding]

  public init(numbers: [Int], backupPath: String? = nil, warnings: [Finding] = []) {
    self.numbers = numbers
    self.backupPath = backupPath
    self.warnings = warnings
  }
}
