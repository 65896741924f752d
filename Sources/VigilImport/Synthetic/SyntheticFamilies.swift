import Foundation
import VigilModel

/// The members of families and their exclusions; they follow from a person's number alone.
struct SyntheticFamilies {
  let seed: UInt64
  /// Nil for families of three.
  let familyCount: Int?

  func membership(of person: SyntheticPerson) -> FamilyMember {
    let index = person.index
    let (family, position) = place(of: index)
    // The first person of a family is its founder; of twelve persons one has not answered an
    // invitation and one has declined.
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

  /// The member that a person has excluded from notifications: of twelve persons two exclude the
  /// founder of their family, who has a smaller number and is thus in every data set with them.
  func excluded(by person: SyntheticPerson) -> UUID? {
    let (family, position) = place(of: person.index)
    switch person.index % 12 {
    case 5 where position > 0, 8 where position > 0:
      return SyntheticPerson.id(index: familyCount == nil ? family * 3 : family, seed: seed)
    default:
      return nil
    }
  }

  private func place(of index: Int) -> (family: Int, position: Int) {
    familyCount.map { (index % $0, index / $0) } ?? (index / 3, index % 3)
  }
}
