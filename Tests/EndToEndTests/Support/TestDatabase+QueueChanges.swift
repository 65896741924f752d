import Foundation
import TestDatabases

extension TestDatabase {
  /// Lets triggers record from now on how each taking of a row of the queue ends.
  func recordQueueChanges() throws {
    try execute(
      """
      CREATE TABLE queue_changes (
        number INTEGER PRIMARY KEY \(kind == .postgres ? "GENERATED ALWAYS AS IDENTITY" : "AUTOINCREMENT"),
        id TEXT, token INTEGER, at TEXT, status TEXT, error TEXT, is_attempt INTEGER, owner TEXT
      );
      """)
    let values = """
      NEW.id, OLD.fencing_token, \(kind == .postgres ? "extract(epoch FROM clock_timestamp())" : "'0'"),
      NEW.status, NEW.last_error, CASE
        WHEN NEW.status = 'sent' THEN 1
        WHEN NEW.status = 'failed' AND NEW.last_error <> 'outcome_unknown' THEN 1
        WHEN NEW.status = 'pending' AND NEW.attempts = OLD.attempts
          AND NEW.next_attempt_at IS DISTINCT FROM OLD.next_attempt_at
          -- A row that is taken back is due at once.
          AND NEW.next_attempt_at <> NEW.updated_at THEN 1
        ELSE 0
      END, OLD.lease_owner
      """
    let columns = "queue_changes (id, token, at, status, error, is_attempt, owner)"
    switch kind {
    case .sqlite:
      try execute(
        """
        CREATE TRIGGER records_changes AFTER UPDATE ON notification_queue
        WHEN OLD.status <> NEW.status AND NEW.status <> 'processing'
        BEGIN
          INSERT INTO \(columns) VALUES (\(values));
        END
        """)
    case .postgres:
      try execute(
        """
        CREATE FUNCTION record_change() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
        BEGIN
          INSERT INTO \(columns) VALUES (\(values));
          RETURN NULL;
        END
        $$;
        CREATE TRIGGER records_changes AFTER UPDATE ON notification_queue FOR EACH ROW
        WHEN (OLD.status <> NEW.status AND NEW.status <> 'processing')
        EXECUTE FUNCTION record_change()
        """)
    }
  }

  /// The recorded ends, in their order.
  func queueChanges() throws -> [String] {
    try rows(
      "SELECT id, token, at, status, error, is_attempt, owner FROM queue_changes ORDER BY number")
  }

  /// Kills the process of a session of a dispatcher, upon which the server ends all others and recovers.
  ///
  /// - Returns: Whether there was one.
  func killSession() -> Bool {
    let found = try? rows(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'vigil%' ORDER BY pid LIMIT 1")
    guard let process = found?.first.flatMap({ Int32($0) }) else { return false }
    return kill(process, SIGKILL) == 0
  }
}
