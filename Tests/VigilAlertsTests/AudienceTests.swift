import Foundation
import Testing
import VigilAlerts
import VigilModel

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

  private func recipients(
    among members: [FamilyMember], excluding excluded: String...
  ) -> [UUID] {
    Audience.recipients(
      for: person, among: members, excluding: Set(excluded.map { UUID(name: $0) }))
  }

  @Test func withoutAFamilyThePersonIsNotified() {
    #expect(recipients(among: []) == [person])
    #expect(recipients(among: [], excluding: "mother") == [person])
  }

  @Test func onlyAcceptedAdministratorsAreNotified() {
    let members = [
      member("mother", .superadmin, .accepted), member("father", .admin, .accepted),
      member("aunt", .admin, .pending), member("uncle", .superadmin, .declined),
      member("person", .member, .accepted),
    ]
    #expect(
      Set(recipients(among: members))
        == [UUID(name: "mother"), UUID(name: "father")])
  }

  @Test func respondersAreNotifiedAndDependentsAreNot() {
    let members = [
      member("mother", .responder, .accepted), member("child", .dependent, .accepted),
      member("aunt", .responder, .pending),
    ]
    #expect(recipients(among: members) == [UUID(name: "mother")])
    #expect(recipients(among: members, excluding: "mother") == [person])
  }

  @Test func aFamilyWithoutAdministratorsLeavesThePerson() {
    let members = [member("person", .member, .accepted), member("aunt", .admin, .pending)]
    #expect(recipients(among: members) == [person])
  }

  @Test func anAdministratorOfTwoFamiliesIsNotifiedOnce() {
    let members = [
      member("mother", .admin, .accepted),
      member("mother", .superadmin, .accepted, family: "other"),
    ]
    #expect(recipients(among: members) == [UUID(name: "mother")])
  }

  @Test func excludedMembersAreNotNotifiedInAnyRole() {
    let members = [
      member("mother", .superadmin, .accepted), member("father", .admin, .accepted),
      member("mother", .admin, .accepted, family: "other"),
    ]
    #expect(recipients(among: members, excluding: "mother", "aunt") == [UUID(name: "father")])
  }

  @Test func whereAllAreExcludedThePersonIsNotified() {
    let members = [
      member("mother", .superadmin, .accepted), member("father", .admin, .accepted),
      member("aunt", .member, .accepted),
    ]
    #expect(recipients(among: members, excluding: "mother", "father") == [person])
  }
}
