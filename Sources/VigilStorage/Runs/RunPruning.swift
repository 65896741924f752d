import Foundation
import VigilModel

/// What runs have left that nobody asks for any more.
///
/// In every statement `$1` is the instant before which it must have ended.
struct RunPruning {
  let cutoff: Timestamp

  private static let held = HeldNotifications.table
  private static let checkpoints = CheckpointRow.table

  private func statement(
    _ sql: String, _ more: [InputValue] = [], columns: [String] = []
  ) -> BoundStatement {
    BoundStatement(sql, [.timestamp(cutoff)] + more, table: Self.held, columns: columns)
  }

  /// Runs that have succeeded: what they decided about is over.
  private static let hasSucceeded = "run.status = 'succeeded'"

  /// Runs that were cut off and that nobody has continued since.
  ///
  /// Where a brake holds some of it, the run waits for somebody.
  private static let isAbandoned = """
    (run.status IN ('failed', 'interrupted') AND run.started_at < $1 AND NOT EXISTS (
      SELECT 1 FROM {{schema}}.run_shards AS part
      WHERE part.run_id = run.id AND (
        part.status IN ('held', 'running') OR coalesce(part.finished_at, part.started_at) >= $1
      )
    ))
    """

  /// Rows that `held` names and that their run does not need.
  private static let isOver = """
    (\(isAbandoned)
      OR (\(hasSucceeded) AND held.outcome IS NOT NULL AND held.decided_at < $1))
    """

  /// Ids of runs that have left something.
  var runs: BoundStatement {
    statement(
      """
      SELECT run.id FROM {{schema}}.batch_runs AS run
      WHERE EXISTS (
          SELECT 1 FROM {{schema}}.\(Self.held) AS held
          WHERE held.run_id = run.id AND \(Self.isOver))
        OR (\(Self.isAbandoned) AND EXISTS (
          SELECT 1 FROM {{schema}}.\(Self.checkpoints) AS done WHERE done.run_id = run.id
        ))
      ORDER BY run.started_at, run.id
      """, columns: ["id"])
  }

  /// How many rows of `held_notifications` are over.
  var heldCount: BoundStatement {
    statement(
      """
      SELECT count(*) FROM {{schema}}.\(Self.held) AS held
      JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
      WHERE \(Self.isOver)
      """, columns: ["count"])
  }

  var checkpointCount: BoundStatement {
    statement(
      """
      SELECT count(*) FROM {{schema}}.\(Self.checkpoints) AS done
      JOIN {{schema}}.batch_runs AS run ON run.id = done.run_id WHERE \(Self.isAbandoned)
      """, columns: ["count"])
  }

  // MARK: Of one run

  func isAbandoned(_ run: UUID) -> BoundStatement {
    statement(
      "SELECT run.id FROM {{schema}}.batch_runs AS run WHERE run.id = $2 AND \(Self.isAbandoned)",
      [.uuid(run)], columns: ["id"])
  }

  /// By shard, how many of a run went out that are over.
  func released(of run: UUID) -> BoundStatement {
    statement(
      """
      SELECT held.shard, count(*)
      FROM {{schema}}.\(Self.held) AS held JOIN {{schema}}.batch_runs AS run ON run.id = held.run_id
      WHERE held.run_id = $2 AND \(Self.isOver) AND held.group_id IS NULL
        AND held.outcome = '\(HeldNotifications.Decision.release.rawValue)'
      GROUP BY held.shard
      """, [.uuid(run)], columns: ["shard", "count"])
  }

  func removeHeld(of run: UUID) -> BoundStatement {
    statement(
      """
      DELETE FROM {{schema}}.\(Self.held) AS held
      WHERE held.run_id = $2
        AND EXISTS (SELECT 1 FROM {{schema}}.batch_runs AS run WHERE run.id = $2 AND \(Self.isOver))
      """, [.uuid(run)])
  }
}

extension RunTransaction {
  /// Removes what a run has left, and gives how many rows of `held_notifications` and checkpoints those
  /// were.
  ///
  /// What an abandoned run held goes together with its checkpoints: should it be continued after all, its
  /// batches are done and planned again.
  func prune(_ run: UUID, _ pruning: RunPruning) throws -> (held: Int, checkpoints: Int) {
    let isAbandoned = try !rows(pruning.isAbandoned(run)) { row in
      var row = row
      return try row.uuid()
    }.isEmpty
    let done = isAbandoned ? try checkpoints(of: run) : []
    if !done.isEmpty { try forget(done, of: run) }
    let released = try rows(pruning.released(of: run)) { row in
      var row = row
      return (shard: try row.int(), count: try row.int())
    }
    let parts = try shards(of: run)
    for var part in parts {
      guard let told = released.first(where: { $0.shard == part.index }) else { continue }
      part.carried.notificationsEnqueued += told.count
      try put(part)
    }
    let held = try execute(pruning.removeHeld(of: run))
    // What runs of the first versions have left says nothing of shards, from which all follows.
    if let record = try self.run(run), !parts.isEmpty { try refresh(record) }
    return (held, done.count)
  }
}
