public import Foundation
public import VigilModel

/// The members to notify about a person (specification, notifications.md section 2).
public enum Audience {
  /// The administrators of the person's families whom the person has not excluded, ascending by id
  /// and without duplicates; the person, where that leaves no administrator.
  ///
  /// - Parameters:
  ///   - person: The person whom the notifications are about.
  ///   - members: The members of every family in which `person` has accepted.
  ///   - excluded: The members that `person` does not want to be notified, in any role.
  public static func recipients(
    for person: UUID, among members: [FamilyMember], excluding excluded: Set<UUID>
  ) -> [UUID] {
    let administrators = members.filter { member in
      switch (member.role, member.inviteStatus) {
      case (.superadmin, .accepted), (.admin, .accepted): !excluded.contains(member.user)
      case (.member, _), (_, .pending), (_, .declined): false
      }
    }
    guard !administrators.isEmpty else { return [person] }
    return Set(administrators.map(\.user)).sorted { $0.lowercased < $1.lowercased }
  }
}
