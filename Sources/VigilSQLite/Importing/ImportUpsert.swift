import VigilSQL

/// The statement that brings one row into an input table.
///
/// Parameters are the columns in their order, and after them the present time, which stands in for
/// `created_at` and `updated_at` where a row does not have them.
struct ImportUpsert {
  var table: String
  var key: [String]
  var columns: [String]
  var hasTimestamps: Bool

  static let timestamps = ["created_at", "updated_at"]

  /// The number of the parameter that is the present time.
  var placeOfNow: Int { columns.count + 1 }

  var statement: WritingStatement {
    switch (changes.isEmpty, hasTimestamps) {
    case (true, false): .addInputRows
    case (false, false): .putInputRows
    case (true, true): .putTimesOfInputRows
    case (false, true): .putTimedInputRows
    }
  }

  var fillings: SQLFillings {
    [
      "table": .name(table), "key": .names(key), "columns": .names(plainColumns),
      "changes": .names(changes), "values": .expressions(plainColumns.map(parameter)),
      "created_at": .expression(parameter("created_at")),
      "updated_at": .expression(parameter("updated_at")),
      "now": .expression(.parameter(placeOfNow)),
    ]
  }

  /// The columns of a row, without the times that statements name.
  private var plainColumns: [String] {
    hasTimestamps ? columns.filter { !Self.timestamps.contains($0) } : columns
  }

  /// The columns that may differ in a row that is there already.
  private var changes: [String] { plainColumns.filter { !key.contains($0) } }

  private func parameter(_ column: String) -> SQLExpression {
    columns.firstIndex(of: column).map { .parameter($0 + 1) } ?? .null
  }
}
