/// One line of `vigil doctor`.
public struct Finding: Sendable, Hashable, Codable {
  public var check: String
  public var status: Status
  public var detail: String
  /// The command, SQL or setting that mends it.
  public var remedy: String?

  public init(check: String, status: Status, detail: String, remedy: String? = nil) {
    self.check = check
    self.status = status
    self.detail = detail
    self.remedy = remedy
  }

  public enum Status: String, Sendable, Codable, CaseIterable {
    case ok
    case warning
    case failure
  }
}
