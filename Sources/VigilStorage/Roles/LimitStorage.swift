public import Foundation
public import VigilModel

/// The limits that are set for single persons: rows of `person_limits`, which imports and apps write too.
///
/// All methods throw `StorageError`; `StorageReader.limits` reads the rows.
public protocol LimitStorage: Sendable {
  /// The persons with a limit, ascending.
  func limitedPersons() throws -> [UUID]

  /// Adds a limit of a person.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - person: One of `users`.
  ///   - note: Why it was set.
  /// - Returns: False where there is a row of the same metric, side, number of values and first day, which stays.
  func add(_ limit: PersonLimit, of person: UUID, note: String?) throws -> Bool

  /// Lets a limit end with another day.
  ///
  /// - Parameters:
  ///   - limit: The limit; found by its key.
  ///   - person: The person.
  ///   - last: The last day whose value counts, not before the first.
  /// - Returns: False where there is no such row.
  func end(_ limit: PersonLimit, of person: UUID, on last: Day) throws -> Bool

  /// Removes a limit as if it had never been set.
  ///
  /// - Returns: False where there is no such row.
  func remove(_ limit: PersonLimit, of person: UUID) throws -> Bool
}
