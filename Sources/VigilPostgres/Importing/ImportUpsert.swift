import VigilSQL

/// The statements that bring staged rows into an input table.
///
/// Their parameter is the present time, which stands in for `created_at` and `updated_at` where a row
/// does not have them.
struct ImportUpsert {
  var staging: StagingTable
  var key: [String]
  var hasTimestamps: Bool

  static let timestamps = ["created_at", "updated_at"]

  var statement: StagingStatement {
    switch (changes.isEmpty, hasTimestamps) {
    case (true, false): .addInputRows
    case (false, false): .putInputRows
    case (true, true): .putTimesOfInputRows
    case (false, true): .putTimedInputRows
    }
  }

  /// The statement for rows whose keys are all new and come once.
  var insertion: StagingStatement { hasTimestamps ? .insertTimedInputRows : .insertInputRows }

  var fillings: SQLFillings {
    [
      "table": .name(staging.target), "staging": .name(staging.name), "key": .names(key),
      "columns": .names(columns), "changes": .names(changes),
      "staged_columns": .expressions(columns.map { staging.value(of: $0) }),
      "created_at": .expression(staging.value(of: "created_at")),
      "updated_at": .expression(staging.value(of: "updated_at")),
    ]
  }

  /// The columns of the rows, without the times that statements name.
  private var columns: [String] {
    hasTimestamps ? staging.columns.filter { !Self.timestamps.contains($0) } : staging.columns
  }

  /// The columns that may differ in a row that is there already.
  private var changes: [String] { columns.filter { !key.contains($0) } }
}
