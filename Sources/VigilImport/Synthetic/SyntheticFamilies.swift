import Foundation
import VigilModel

/// Who belongs to which family; decided by a person's number alone.
struct SyntheticFamilies {
  let seed: UInt64
  /// Nil for families of three.
  let familyCount: Int?

  func membership(of person: SyntheticPerson) -> FamilyMember {
    let index = person.index
    let family = familyCount.map { index % $0 } ?? index / 3
    let position = familyCount.map { index / $0 } ?? index % 3
    // The first of a family has founded it; of twelve persons one has not answered an invitation
    // and one has declined.
    let status: FamilyMember.InviteStatus =
      switch index % 12 {
      case 7 where position > 0: .pending
      case 11 where position > 0: .declined
      default: .accepted
      }
    let role: FamilyMember.Role =
      switch position {
      case 0: .superadmin
      case 1: .admin
      default: .member
      }
    return FamilyMember(
      family: UUID(name: "synthetic-family:\(seed):\(family)"), user: person.id, role: role,
      inviteStatus: status)
  }
}
