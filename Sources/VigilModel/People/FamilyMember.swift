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

  /// The part of a member in a family (specification, notifications.md section 2).
  public enum Role: String, Sendable, Codable, CaseIterable {
    case superadmin
    case admin
    case member
    /// Is notified of the others as an administrator is, and manages nothing.
    case responder
    /// Is looked after: sees who the others are, reads nothing of them, and is never notified of them.
    case dependent

    /// Whether members of the role are notified of the others.
    public var isNotified: Bool {
      switch self {
      case .superadmin, .admin, .responder: true
      case .member, .dependent: false
      }
    }

    /// Whether members of the role may read of the others, and act on their alerts.
    public var mayReadOthers: Bool { self != .dependent }
  }

  /// The state of an invitation; the app writes it.
  public enum InviteStatus: String, Sendable, Codable, CaseIterable {
    /// Without an answer, the invited person reads nothing and is not notified.
    case pending
    case accepted
    case declined
  }
}
