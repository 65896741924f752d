import Foundation
import Testing
import VigilModel
import VigilNotifications

@Suite struct AudienceTests {
  private let person = UUID(name: "person")
  private let family = UUID(name: "family")

  private func member(
    _ name: String, _ role: FamilyMember.Role, _ status: FamilyMember.InviteStatus,
    family: String = "family"
  ) -> FamilyMember {
    FamilyMember(
      family: UUID(name: family), user: UUID(name: name), role: role, inviteStatus: status)
  }

  @Test func withoutAFamilyThePersonIsTold() {
    #expect(Audience.recipients(for: person, among: []) == [person])
  }

  @Test func onlyAcceptedAdministratorsAreTold() {
    let members = [
      member("mother", .superadmin, .accepted), member("father", .admin, .accepted),
      member("aunt", .admin, .pending), member("uncle", .superadmin, .declined),
      member("person", .member, .accepted),
    ]
    #expect(
      Set(Audience.recipients(for: person, among: members))
        == [UUID(name: "mother"), UUID(name: "father")])
  }

  @Test func aFamilyWithoutAdministratorsLeavesThePerson() {
    let members = [member("person", .member, .accepted), member("aunt", .admin, .pending)]
    #expect(Audience.recipients(for: person, among: members) == [person])
  }

  @Test func anAdministratorOfTwoFamiliesIsToldOnce() {
    let members = [
      member("mother", .admin, .accepted),
      member("mother", .superadmin, .accepted, family: "other"),
    ]
    #expect(Audience.recipients(for: person, among: members) == [UUID(name: "mother")])
  }
}
