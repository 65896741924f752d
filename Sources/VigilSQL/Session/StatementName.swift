/// The names of the statements of one subject, such as `QueueStatement.expireNotifications`.
///
/// A case stands for the block of the same name, in upper camel case, in the `.sql` files of the subject:
///
/// ```sql
/// -- name: ExpireNotifications :exec
/// UPDATE {{schema}}.notification_queue ...
/// ```
///
/// A block that both databases understand is in `queue.sql`; one that they write differently is in
/// `queue.sqlite.sql` and in `queue.postgres.sql`, under the same name. What only one driver asks is in files
/// of that driver. `scripts/check-statements` finds names without a block, blocks without a name, names that
/// no code uses, and SQL outside of such files.
///
/// Text that several statements of a subject share is a block of its own, of the kind `:part`, and stands in
/// them as a mark of its name:
///
/// ```sql
/// -- name: is_computed :part
/// stored.source = 'vigil'
///
/// -- name: RemoveScores :exec
/// DELETE FROM {{schema}}.vitality_scores AS stored WHERE user_id = $1 AND {{is_computed}}
/// ```
public protocol StatementName: RawRepresentable<String>, Hashable, CaseIterable, Sendable {
  /// The texts of the subject's files for a dialect: the common one and the dialect's own.
  static func files(for dialect: SQLDialect) -> [String]
}

extension StatementName {
  /// The name in the file, such as `ExpireNotifications`.
  public var blockName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
