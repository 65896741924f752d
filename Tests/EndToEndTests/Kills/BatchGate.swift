import Foundation
import PostgresTestServer

/// Holds runs on a schema at a known point of writing a batch, or before their end, so that they can be
/// killed there.
///
/// Unchecked because a test makes it and then leaves it to the thread that waits for its command.
final class BatchGate: @unchecked Sendable {
  enum Point: CaseIterable {
    /// All rows of the batch are written, and its transaction is still open.
    case uncommitted
    /// The batch is committed, and its run has not heard of it.
    case unacknowledged
    /// All batches are written, and what they have planned is about to be let go.
    case unreleased
  }

  struct NoRunCame: Error, CustomStringConvertible {
    var description: String
  }

  private let session: PostgresSession
  private let point: Point?
  private let batches: Int
  private let key: String

  /// Puts the gate before the checkpoints of all runs that come.
  ///
  /// - Parameters:
  ///   - point: Where runs are held; nil for a gate that stays open.
  ///   - batches: How many batches pass before one is held.
  init(in schema: PostgresSchema, at point: Point?, afterBatches batches: Int) throws {
    self.point = point
    self.batches = batches
    session = try schema.session()
    key = try session.rows("SELECT hashtext(current_schema())").values[0][0] ?? "0"
    // What holds a run is an exclusive lock of this session. For the first it waits; where it sees
    // the second, it asks to be confirmed by a standby that never comes.
    try session.execute(
      """
      CREATE OR REPLACE FUNCTION batch_gate() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
      BEGIN
        IF (SELECT count(*) FROM batch_checkpoints) >= \(batches) THEN
          PERFORM pg_advisory_xact_lock_shared(1, \(key));
          IF NOT pg_try_advisory_xact_lock_shared(2, \(key)) THEN
            PERFORM set_config('synchronous_commit', 'on', true);
          END IF;
        END IF;
        RETURN NEW;
      END
      $$;
      CREATE OR REPLACE TRIGGER batch_gate BEFORE INSERT ON batch_checkpoints
      FOR EACH ROW EXECUTE FUNCTION batch_gate()
      """)
    switch point {
    case .uncommitted: try session.execute("SELECT pg_advisory_lock(1, \(key))")
    case .unacknowledged: try session.execute("SELECT pg_advisory_lock(2, \(key))")
    case .unreleased: try holdEnds()
    case nil: break
    }
  }

  /// Holds runs where they record their end, which is where they release what they hold.
  private func holdEnds() throws {
    try session.execute(
      """
      CREATE FUNCTION end_gate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        IF NEW.status <> 'running' THEN PERFORM pg_advisory_xact_lock_shared(1, \(key)); END IF;
        RETURN NEW;
      END
      $$;
      CREATE TRIGGER end_gate BEFORE UPDATE ON run_shards
      FOR EACH ROW EXECUTE FUNCTION end_gate();
      DROP TRIGGER batch_gate ON batch_checkpoints;
      SELECT pg_advisory_lock(1, \(key))
      """)
  }

  /// Waits until a run is held, or where none ever is, until one has written the batches.
  func waitForRun() throws {
    switch point {
    case .uncommitted, .unreleased:
      try wait(
        for: "a batch that is written, or the end of a run",
        """
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND classid = 1 AND objid = CAST(\(key) AS int4)::oid
        """)
    case .unacknowledged:
      try wait(
        for: "a batch that is committed",
        "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    case nil:
      try wait(for: "a run", "SELECT FROM batch_runs")
      try wait(
        for: "\(batches) batches",
        "SELECT FROM batch_checkpoints HAVING count(*) >= \(batches)")
    }
  }

  /// Waits until another process waits for a lock that a killed run still has.
  func waitForSuccessor() throws {
    try wait(
      for: "run that waits for the killed one",
      "SELECT FROM pg_stat_activity WHERE usename = 'vigil' AND wait_event_type = 'Lock'")
  }

  /// Lets all runs pass, and waits until the server has finished its work for a killed run.
  func open() throws {
    try session.execute("SELECT pg_advisory_unlock_all()")
    let busy = """
      SELECT FROM pg_stat_activity WHERE usename = 'vigil' AND state <> 'idle'
      HAVING count(*) = 0
      """
    try wait(for: "end of the killed run's transactions", busy) {
      // One that had passed the gate may come to its commit only now.
      try session.execute(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    }
  }

  private func wait(
    for what: String, _ query: String, doing action: () throws -> Void = {}
  ) throws {
    let deadline = Date(timeIntervalSinceNow: 180)
    while try session.rows(query).values.isEmpty {
      guard Date() < deadline else {
        throw NoRunCame(description: "no \(what) within three minutes")
      }
      try action()
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}
