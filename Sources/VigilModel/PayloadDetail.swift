/// How much the payload of a notification says (specification, notifications.md section 4).
public enum PayloadDetail: String, Hashable, Sendable, CaseIterable {
  /// What has changed, since when, and by how much; never a name, a measured value or free text.
  case standard
  /// Ids, template and level only: nothing that a lock screen or a log could leak.
  case reference
}
