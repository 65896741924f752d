import Foundation
import VigilModel
import VigilStorage

/// Groups of notifications, which may be about several persons.
extension SQLSession {
  /// Takes a person out of groups that are about others, too.
  func takeOutOfGroups(_ person: UUID, at now: Timestamp) throws {
    let alerts = try rows(PrivacyStatement.listAlertsOfPerson, person) { try $0.uuid() }
    let traces = Set(([person] + alerts).map(\.lowercased))
    for table in ["notification_queue", "shadow_notification_queue", "held_notifications"] {
      let name: SQLFillings = ["table": .name(table)]
      let groups = try rows(
        statements.statement(PrivacyStatement.listGroupsOfOthers, name), [person.sqlValue]
      ) { (id: try $0.uuid(), payload: try $0.json()) }
      for group in groups {
        guard let rest = GroupText(group.payload)?.without(traces) else { continue }
        _ = try execute(
          statements.statement(PrivacyStatement.putGroup, name),
          [group.id.sqlValue, .json(rest.text), rest.level.sqlValue])
      }
      if table != "held_notifications" {
        _ = try execute(
          statements.statement(PrivacyStatement.releaseMembersOfGroups, name),
          [person.sqlValue, now.sqlValue])
      }
    }
  }
}

/// The payload of a group: an object with the payloads of its members in `alerts`.
private struct GroupText {
  private var members: [String: JSONValue]

  /// Nil for a payload that is no group's.
  init?(_ text: String) {
    guard case .object(let members)? = try? JSONValue(parsing: text.utf8),
      members["alerts"]?.elements != nil
    else { return nil }
    self.members = members
  }

  /// Returns the payload without the members that hold one of some texts, and the level of the gravest that is left;
  /// nil where none holds one, or all do.
  func without(_ traces: Set<String>) -> (text: String, level: Int)? {
    let alerts = members["alerts"]?.elements ?? []
    let kept = alerts.filter { !$0.holds(traces) }
    guard kept.count < alerts.count, !kept.isEmpty,
      let level = kept.compactMap({ $0.member("level")?.whole }).max()
    else { return nil }
    var rest = members
    rest["alerts"] = .array(kept)
    rest["level"] = .number(Double(level))
    if rest["severity"] != nil, let level = AlertLevel(rawValue: level) {
      rest["severity"] = .string(level.severity.rawValue)
    }
    guard let text = try? CanonicalJSON.text(of: JSONValue.object(rest)) else { return nil }
    return (text, level)
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// Whether a text of this value, at any depth, is one of `texts`.
  fileprivate func holds(_ texts: Set<String>) -> Bool {
    switch self {
    case .string(let text): texts.contains(text.lowercased())
    case .array(let elements): elements.contains { $0.holds(texts) }
    case .object(let members): members.values.contains { $0.holds(texts) }
    case .null, .boolean, .number: false
    }
  }
}
