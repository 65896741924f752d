import VigilModel

/// The tables that say who is called upon when no answer comes. Senders read them, and runs do not.
extension InputTable {
  /// The order in which members are called upon about a person.
  public static let caregiverPriority = InputTable(
    name: "caregiver_priority",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("caregiver_id", .person, isRequired: true),
      Column("priority", .priority, isRequired: true),
    ],
    key: ["user_id", "caregiver_id"])

  /// The hours of a week in which caregivers can be called upon.
  public static let caregiverAvailability = InputTable(
    name: "caregiver_availability",
    columns: [
      Column("user_id", .person, isRequired: true),
      Column("weekday", .weekday, isRequired: true),
      Column("starts_at", .timeOfDay, isRequired: true),
      Column("ends_at", .timeOfDay, isRequired: true),
    ],
    key: ["user_id", "weekday", "starts_at"])

  /// The people outside of their families whom persons want to be called upon.
  public static let emergencyContacts = InputTable(
    name: "emergency_contacts",
    columns: [
      Column("id", .id, isRequired: true),
      Column("user_id", .person, isRequired: true),
      Column("priority", .priority, isRequired: true),
      Column("channel", .word(channelsOfContacts), isRequired: true),
      Column("address", .address, isRequired: true),
      Column("language", .language),
      Column("opted_in_at", .timestamp),
      Column("revoked_at", .timestamp),
      Column("created_at", .timestamp),
    ],
    key: ["id"])

  private static let channelsOfContacts = PlannedNotification.Channel.allCases
    .filter(\.reachesEmergencyContacts).map(\.rawValue)

  /// The three tables above.
  public static let ofEscalation = [caregiverPriority, caregiverAvailability, emergencyContacts]
}
