extension TestDatabase {
  /// Makes the first person of `QueuedPeople` an administrator of a family of `people`, with text messages switched on.
  public func letPersonOneReceiveMessages(about people: Int) throws {
    let family = QueuedPeople.alert(people + 1)
    let members = (1...people).map {
      "('\(family)', '\(QueuedPeople.person($0))', 'admin', 'accepted')"
    }
    try execute(
      """
      INSERT INTO family_members (family_id, user_id, role, invite_status) VALUES
      \(members.joined(separator: ","));
      INSERT INTO user_profiles (user_id, is_champion, champion_notify_sms)
      VALUES ('\(QueuedPeople.person(1))', (1 = 1), (1 = 1))
      """)
  }
}
