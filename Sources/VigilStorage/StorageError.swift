/// What went wrong in a database, in words for its operator.
///
/// `description` says what, where and what to do, and never holds a value of a row.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  public var message: String
  /// What the reader can do about it; nil where nothing sensible can be said.
  public var hint: String?

  public init(_ code: Code, _ message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  public var description: String {
    guard let hint else { return message }
    return "\(message); \(hint)"
  }

  /// Refuses somebody who asks for a family's alerts without belonging to it; says the same of a family
  /// that is not there.
  public static let viewerIsNoMember = StorageError(
    .permissionDenied, "the viewer is not an accepted member of this family",
    hint: "only accepted members read what is told of a family")

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is no database of that name.
    case notFound
    /// It cannot be reached or opened.
    case unreachable
    /// The file is something else.
    case notADatabase
    /// The file is damaged.
    case corrupt
    /// Migrations are pending, changed or unknown.
    case schemaNotCurrent
    /// The database or its folder cannot be written to.
    case readOnly
    /// No space is left.
    case diskFull
    /// Another run holds the lock.
    case locked
    /// The rows of the database are made with other settings than the run has.
    case otherProfile
    /// The role, or the person on whose behalf it is asked, may not do this.
    case permissionDenied
    /// An alert is over, and nothing can be said about it any more.
    case ended
    /// A column that the thresholds file or an import names does not exist.
    case unknownColumn
    /// The connection was lost, or the database gave way to another transaction: nothing is wrong
    /// with the call, and doing it again on a new reader may succeed.
    case transient
    /// A CHECK, UNIQUE or FOREIGN KEY constraint refused a row.
    case constraint
    /// Anything else; a defect of Vigil or of the database.
    case unexpected
  }
}
