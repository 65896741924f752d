/// The failure of a database, in words for its operator.
///
/// ```swift
/// let error = StorageError(.locked, "another run is at work", remedy: "wait for its end")
/// print(error)  // another run is at work; wait for its end
/// ```
///
/// It names the failure, its place and the remedy, and never holds a value of a row.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  public var message: String
  /// The remedy; nil where there is none to name.
  public var remedy: Remedy?

  public init(_ code: Code, _ message: String, remedy: Remedy? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// The failure with its advice; other remedies are codes, which the caller words.
  public var description: String {
    guard let advice = remedy?.advice else { return message }
    return "\(message); \(advice)"
  }

  /// Refuses a viewer who asks for a family's alerts without belonging to it; the error is the same
  /// for a family that does not exist.
  public static let viewerIsNoMember = StorageError(
    .permissionDenied, "the viewer is not an accepted member of this family",
    remedy: "only accepted members read the alerts of a family")

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is no database of that name.
    case notFound
    /// It cannot be reached or opened.
    case unreachable
    /// The file is no database.
    case notADatabase
    /// The file is damaged.
    case corrupt
    /// Migrations are pending, changed or unknown.
    case schemaNotCurrent
    /// The database or its folder cannot be written to.
    case readOnly
    /// No space is left.
    case diskFull
    /// The database file was moved away or replaced while it was open.
    case moved
    /// Another run holds the lock.
    case locked
    /// The rows of the database are made with other settings than the run has.
    case otherProfile
    /// The role, or the person on whose behalf it is asked, may not do this.
    case permissionDenied
    /// An alert has ended, and no action on it is possible any more.
    case ended
    /// A column that the thresholds file or an import names does not exist.
    case unknownColumn
    /// The connection was lost, or the database gave way to another transaction: the call has no
    /// fault, and repeating it on a new reader may succeed.
    case transient
    /// A CHECK, UNIQUE or FOREIGN KEY constraint refused a row.
    case constraint
    /// Any other failure; a defect of Vigil or of the database.
    case unexpected
  }
}
