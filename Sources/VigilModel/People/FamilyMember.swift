/// One row of `family_members`.
public struct FamilyMember: Hashable, Sendable {
  public var family: UUID
  public var user: UUID
  public var role: Role
  public var inviteStatus: InviteStatus

  public init(family: UUID, user: UUID, role: Role, inviteStatus: InviteStatus) {
    self.family = family
    self.user = user
    self.role = role
    self.inviteStatus = inviteStatus
  }

  public enum Role: String, Sendable, Codable, CaseIterable {
    case superadmin
    case admin
    case member
  }

  /// The state of an invitation; the app writes it.
  public enum InviteStatus: String, Sendable, Codable, CaseIterable {
    /// Without an answer, the invited person reads nothing and is not notified.
    case pending
    case accepted
    case declined
  }
}
