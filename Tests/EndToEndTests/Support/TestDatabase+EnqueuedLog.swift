import TestDatabases

extension TestDatabase {
  /// Lists from now on what enters `notification_queue`, though it may leave it again.
  func logEnqueued() throws {
    try execute("CREATE TABLE ever_enqueued (notification TEXT NOT NULL)")
    let notification = """
      NEW.alert_state_id || ' ' || NEW.recipient_user_id || ' ' || NEW.channel || ' ' ||
        (SELECT level FROM held_notifications WHERE dedupe_key = NEW.dedupe_key LIMIT 1)
      """
    switch kind {
    case .sqlite:
      try execute(
        """
        CREATE TRIGGER log_enqueued AFTER INSERT ON notification_queue
        BEGIN INSERT INTO ever_enqueued VALUES (\(notification)); END
        """)
    case .postgres:
      try execute(
        """
        CREATE FUNCTION log_enqueued() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        SET search_path FROM CURRENT AS $$
        BEGIN
          INSERT INTO ever_enqueued VALUES (\(notification));
          RETURN NEW;
        END
        $$;
        CREATE TRIGGER log_enqueued AFTER INSERT ON notification_queue
        FOR EACH ROW EXECUTE FUNCTION log_enqueued()
        """)
    }
  }

  /// Alert, recipient, channel and level of everything that has entered the queue since `logEnqueued`,
  /// as often as it has.
  func everEnqueued() throws -> [String] {
    try rows("SELECT notification FROM ever_enqueued").sorted()
  }
}
