import CSQLite

/// The pages that a statement has changed, as long as SQLite may have to take it back in part.
enum StatementJournals {
  /// Keeps up to 128 KiB of them in memory; whether that is so.
  ///
  /// By default it is 64 KiB. After one statement with more, such as a row that splits pages on several levels, SQLite would
  /// write the pages of every statement to a file until the transaction ends: 10 GB for an import of a million rows. It
  /// moves them to the file with one write, which takes less than 128 KiB. Only before the first connection of a process it
  /// can be changed.
  static let areInMemory = vigil_sqlite_keep_statement_journals((128 << 10) - 1) == 0
}
