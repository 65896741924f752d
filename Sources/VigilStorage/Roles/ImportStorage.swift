/// Writes input rows.
public protocol ImportStorage: Sendable {
  /// Runs `body` in one transaction that commits when it returns and rolls back when it throws.
  func importRows<Result>(_ body: (any ImportWriter) throws -> Result) throws -> Result
}
