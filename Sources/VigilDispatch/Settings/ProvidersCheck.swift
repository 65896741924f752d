import Foundation
import VigilAlerts
public import VigilModel
public import VigilStorage

/// Compares a file of providers with the channels and choices of the persons of a database; part of `vigil doctor`.
public struct ProvidersCheck: Sendable {
  private let file: ProvidersFile
  /// By channel, the persons who have it on.
  private let persons: [PlannedNotification.Channel: Int]
  private let settings: [EscalationSetting]

  /// Persons of one question to the database.
  private static let pageSize = 1_000

  /// Reads the choices of all persons.
  ///
  /// - Parameters:
  ///   - file: The file of the senders.
  ///   - storage: The database.
  ///   - zones: The rules of time zones.
  ///   - now: The present instant.
  /// - Throws: `StorageError`.
  public init(
    _ file: ProvidersFile, in storage: any Storage, zones: ZoneCatalog, at now: Timestamp
  ) throws {
    self.file = file
    let reader = try storage.makeReader()
    let all = try storage.personIDs()
    var persons: [PlannedNotification.Channel: Int] = [:]
    for start in stride(from: 0, to: all.count, by: Self.pageSize) {
      let page = Array(all[start..<min(start + Self.pageSize, all.count)])
      let profiles = try reader.profiles(of: page)
      for person in page {
        for channel in DeliveryPreferences(profiles[person], zones: zones).channels {
          persons[channel, default: 0] += 1
        }
      }
    }
    self.persons = persons
    settings = try storage.escalationSettings(asOf: now)
  }

  public var findings: [Finding] {
    let provided = Set(file.channels.map(\.settings.channel))
    let wanted = PlannedNotification.Channel.sent.filter { persons[$0, default: 0] > 0 }
    let missing = wanted.filter { !provided.contains($0) }
    let unused = PlannedNotification.Channel.sent.filter {
      provided.contains($0) && persons[$0, default: 0] == 0
    }
    return [channelFinding(missing, unused, provided), choiceFinding].compactMap(\.self)
  }

  private func channelFinding(
    _ missing: [PlannedNotification.Channel], _ unused: [PlannedNotification.Channel],
    _ provided: Set<PlannedNotification.Channel>
  ) -> Finding {
    let check = "providers"
    if !missing.isEmpty {
      let counts = missing.map { channel in
        let count = persons[channel, default: 0]
        return "\(channel.rawValue) (\(count) \(count == 1 ? "person" : "persons"))"
      }
      return Finding(
        check: check, status: .warning,
        detail:
          "persons have channels on that the file has no provider of, and are not notified there:"
          + " \(counts.joined(separator: ", "))",
        remedy: "add the channel to the file, or switch it off in user_profiles")
    }
    if !unused.isEmpty {
      return Finding(
        check: check, status: .warning,
        detail: "no person has a channel on that the file has a provider of:"
          + " \(PlannedNotification.Channel.list(unused))",
        remedy: "check what writes user_profiles, or take the channel out of the file")
    }
    let names = PlannedNotification.Channel.sent.filter(provided.contains)
    return Finding(
      check: check, status: .ok, detail: PlannedNotification.Channel.list(names))
  }

  /// Nil where no person has chosen.
  private var choiceFinding: Finding? {
    guard !settings.isEmpty else { return nil }
    let calls = file.escalation.map { EscalationSetting.SenderCalls.made($0) } ?? .none
    let check = "escalation choices"
    let idle = settings.compactMap { setting in
      setting.idleness(under: calls).map { (setting, $0) }
    }
    let rows = "\(settings.count) \(settings.count == 1 ? "row" : "rows") of escalation_settings"
    if idle.contains(where: { $0.1 == .noCalls }) {
      return Finding(
        check: check, status: .warning,
        detail: "the file has no object escalation, so that no calls are made, and \(rows)"
          + " \(settings.count == 1 ? "has" : "have") no effect",
        remedy: "add the object to the file")
    }
    guard !idle.isEmpty else {
      return Finding(check: check, status: .ok, detail: "all of \(rows) can take effect")
    }
    let persons = Set(idle.map(\.0.person)).count
    return Finding(
      check: check, status: .warning,
      detail: "\(idle.count) of \(rows) cannot take effect: about \(persons)"
        + " \(persons == 1 ? "person" : "persons") no one can be called",
      remedy: .listChoices)
  }
}
