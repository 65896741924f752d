import Foundation
import VigilAlerts
import VigilModel
import VigilStorage

/// The recipients of some persons' notifications.
struct LoadedAudience {
  /// By person.
  private(set) var recipients: [UUID: [UUID]] = [:]
  /// By recipient; those without a profile are missing.
  private(set) var profiles: [UUID: UserProfile] = [:]

  /// An audience without recipients.
  init() {}

  /// - Throws: `StorageError`.
  init(of persons: [UUID], from reader: any StorageReader) throws {
    let members = try reader.familyMembers(of: persons)
    let exclusions = try reader.exclusions(of: persons)
    for (person, members) in zip(persons, members) {
      recipients[person] = Audience.recipients(
        for: person, among: members, excluding: exclusions[person] ?? [])
    }
    profiles = try reader.profiles(of: Array(Set(recipients.values.joined())))
  }
}

/// Loads families between two stages, and only of persons with a notification.
///
/// In most batches of a night these are few; reading all families would take a tenth of the run's time.
struct AudienceLoader {
  let reader: SharedReader

  /// - Throws: `StorageError`.
  func load(for notifications: [PatternAlertNotification]) throws -> LoadedAudience {
    guard !notifications.isEmpty else { return LoadedAudience() }
    let persons = Array(Set(notifications.map(\.member)))
    return try reader.read { try LoadedAudience(of: persons, from: $0) }
  }
}
