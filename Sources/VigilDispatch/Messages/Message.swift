/// The words of a notification in one language.
public struct Message: Hashable, Sendable, Encodable {
  public var language: String
  /// One line.
  public var subject: String
  public var text: String
}
