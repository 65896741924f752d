/// The amount of detail in the payload of a notification (specification, notifications.md section
/// 4).
public enum PayloadDetail: String, Hashable, Sendable, Codable, CaseIterable {
  /// The metric, the first day and the size of the change; never a name, a measured value or free
  /// text.
  case standard
  /// Ids, template and level only: nothing that a lock screen or a log could leak.
  case reference
}
