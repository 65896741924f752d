public import Foundation

/// Export and erasure of a person.
///
/// Both go through `PersonalTable.all`.
public protocol PrivacyStorage: Sendable {
  /// Throws `.permissionDenied` where this login may not export a person.
  func requireRightsToExportPersons() throws

  /// Throws `.permissionDenied` where this login may not erase a person.
  func requireRightsToErasePersons() throws

  /// All that is stored about a person; tables without such rows are left out.
  func personalRows(of person: UUID) throws -> [PersonalRows]

  /// The rows that an erasure would remove or change; tables without any are left out.
  func personalRowCounts(of person: UUID) throws -> [PersonalRowCount]

  /// Removes all rows about a person in one transaction, and takes the person out of rows of others.
  ///
  /// Needs the lock of runs, which the caller holds.
  ///
  /// - Parameters:
  ///   - person: The person; one without rows is recorded all the same.
  ///   - record: The row of `erased_persons`.
  /// - Returns: The rows that were removed or changed.
  func erase(_ person: UUID, recording record: ErasedPerson) throws -> [PersonalRowCount]

  /// Overwrites what removed rows have left in the file of the database, where it is a file.
  func overwriteRemovedRows(of person: UUID) throws

  /// Searches all tables and columns, the file and Vigil's own backups for the id of a person.
  ///
  /// - Complexity: O(bytes of the database).
  func traces(of person: UUID) throws -> [PersonTrace]

  /// Records that a person is to be erased, in the place of an earlier request.
  func record(_ request: ErasureRequest) throws

  /// Takes a request back; false where there was none.
  func revokeErasure(of person: UUID) throws -> Bool

  /// The requests, in the order in which they are due.
  func erasureRequests() throws -> [ErasureRequest]

  /// Persons who were erased, in the order of their digests.
  func erasedPersons() throws -> [ErasedPerson]

  /// Adds entries of another list to `erased_persons`.
  func record(_ erased: [ErasedPerson]) throws

  /// The ids of all persons, ascending.
  func personIDs() throws -> [UUID]
}
