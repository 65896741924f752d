public import Foundation
public import VigilModel

/// The members to notify about a person (specification, notifications.md section 2).
public enum Audience {
  /// The administrators and responders of the person's families whom the person has not excluded, ascending by id
  /// and without duplicates; the person, where that leaves none.
  ///
  /// - Parameters:
  ///   - person: The person whom the notifications are about.
  ///   - members: The members of every family in which `person` has accepted.
  ///   - excluded: The members that `person` does not want to be notified, in any role.
  public static func recipients(
    for person: UUID, among members: [FamilyMember], excluding excluded: Set<UUID>
  ) -> [UUID] {
    let notified = members.filter { member in
      member.role.isNotified && member.inviteStatus == .accepted && !excluded.contains(member.user)
    }
    guard !notified.isEmpty else { return [person] }
    return Set(notified.map(\.user)).sorted { $0.lowercased < $1.lowercased }
  }

  /// The members to notify of an alert that a person raises, ascending by id and without duplicates: administrators and
  /// responders; without any, all members but dependents.
  ///
  /// - Parameter members: The other accepted members of every family in which the person has accepted.
  public static func responders(among members: [Prompt.Member]) -> [UUID] {
    let present = members.filter { !$0.isExcluded && $0.role != .dependent }
    let notified = present.filter(\.role.isNotified)
    return Set((notified.isEmpty ? present : notified).map(\.user))
      .sorted { $0.lowercased < $1.lowercased }
  }
}
