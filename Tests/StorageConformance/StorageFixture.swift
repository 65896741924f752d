public import VigilStorage

/// A real database of one kind, set up for one check.
public protocol StorageFixture: Sendable {
  /// Empty, with the current schema.
  var storage: any Storage { get }

  /// The same database, opened once more.
  func reopened() throws -> any Storage

  /// Runs SQL that every dialect knows.
  func execute(_ sql: String) throws

  /// Runs SQL as a writer that minds no reference to `users`.
  func executeWithoutReferences(_ sql: String) throws

  /// The first column of every row of a query, as text.
  func strings(_ sql: String) throws -> [String?]
}

extension StorageFixture {
  /// The number of rows of a table.
  public func count(_ table: String) throws -> Int {
    try strings("SELECT CAST(count(*) AS TEXT) FROM \(table)").first.flatMap { $0 }.flatMap {
      Int($0)
    }
      ?? -1
  }
}

/// One clause of the contract of `Storage`, checked on a fresh database.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
  public let description: String
  public let run: @Sendable (any StorageFixture) throws -> Void

  init(_ description: String, _ run: @escaping @Sendable (any StorageFixture) throws -> Void) {
    self.description = description
    self.run = run
  }

  /// The whole contract; a driver's tests run each of them.
  public static let all: [ConformanceCheck] =
    schema + runs + sharedRuns + holding + outcomes + persons + checkIns + sensitivities + limits
    + doNotDisturb + senders
    + metricReading
    + contextReading
    + writing + evidence
    + events + alertActions + members + prompts + inApp + escalationChoices + randomActions
    + medicationAlerts + queueReading + dispatch + messages + messageLog
    + pruning
    + listing
    + familyAlerts + locking + onePerson
    + importing
    + unusableRows + injection + medications + scores + insights + familyInsights + profiles
    + exports

  /// The part of the contract in which members act on alerts.
  public static let actions =
    alertActions + events + medicationAlerts + members + prompts + inApp + escalationChoices
    + randomActions
}
