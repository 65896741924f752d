public import VigilStorage

/// The reason why an import or the writing of a data set ended without a result.
///
/// `description` names files, lines and columns, and never a value of a row.
public struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  public var message: String
  /// The faults and their places, one line each.
  public var problems: [String]
  /// The remedy; nil where the message has it, and where there is none to name.
  public var remedy: Remedy?

  public init(
    _ code: Code, _ message: String, problems: [String] = [], remedy: Remedy? = nil
  ) {
    self.code = code
    self.message = message
    self.problems = problems
    self.remedy = remedy
  }

  public var description: String {
    ([message] + problems.map { "  \($0)" }).joined(separator: "\n")
  }

  /// `shouldStop` returned true.
  static let interruption = ImportError(
    .interrupted, "the import was interrupted; nothing was imported")

  public enum Code: Sendable, Hashable, CaseIterable {
    /// There is no such file or folder, nothing in it to import, or an argument is out of range.
    case usage
    /// A file has another form than its name says, or too many of its rows cannot be used.
    case badData
    /// A file cannot be created or written.
    case cannotCreateOutput
    /// `shouldStop` returned true.
    case interrupted
  }
}
