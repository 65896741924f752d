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
  static var files: StatementFiles { get }
}

/// The texts of the files of a subject: the common ones and those of each dialect.
public struct StatementFiles: Sendable {
  private let common: [String]
  private let sqlite: String?
  private let postgres: String?

  public init(_ common: [String] = [], sqlite: String? = nil, postgres: String? = nil) {
    self.common = common
    self.sqlite = sqlite
    self.postgres = postgres
  }

  func texts(for dialect: SQLDialect) -> [String] {
    let own = dialect == .sqlite ? sqlite : postgres
    return common + [own].compactMap(\.self)
  }
}

extension StatementName {
  /// The name in the file, such as `ExpireNotifications`.
  public var blockName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
