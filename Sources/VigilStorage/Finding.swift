/// One line of `vigil doctor`.
public struct Finding: Sendable, Hashable {
  public var check: String
  public var status: Status
  public var detail: String
  public var remedy: Remedy?

  public init(check: String, status: Status, detail: String, remedy: Remedy? = nil) {
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
