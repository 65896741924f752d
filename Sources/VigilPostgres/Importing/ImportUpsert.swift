import VigilSQL

/// The statement that brings staged rows into an input table.
///
/// Its parameter is the present time, which stands in for `created_at` and `updated_at` where a row
/// does not have them.
struct ImportUpsert {
  var staging: StagingTable
  var key: [String]
  var hasTimestamps: Bool

  static let timestamps = ["created_at", "updated_at"]

  var sql: String {
    let table = staging.target.quotedIdentifier
    var names: [String] = []
    var values: [String] = []
    var updates: [String] = []
    var differences: [String] = []
    for (column, cast) in zip(staging.columns, staging.castColumns) {
      let name = column.quotedIdentifier
      let stored = "\(table).\(name)"
      names.append(name)
      if hasTimestamps, Self.timestamps.contains(column) {
        // A row without the time keeps what is stored, and counts as changed by what else differs.
        values.append("coalesce(\(cast), $1)")
        let given = "nullif(excluded.\(name), $1)"
        updates.append(
          column == "updated_at"
            ? "\(name) = excluded.\(name)" : "\(name) = coalesce(\(given), \(stored))")
        differences.append("(\(given) IS NOT NULL AND \(stored) IS DISTINCT FROM \(given))")
      } else {
        values.append(cast)
        guard !key.contains(column) else { continue }
        updates.append("\(name) = excluded.\(name)")
        differences.append("\(stored) IS DISTINCT FROM excluded.\(name)")
      }
    }
    if hasTimestamps {
      for name in Self.timestamps where !staging.columns.contains(name) {
        names.append(name)
        values.append("$1")
      }
      if !staging.columns.contains("updated_at"), !updates.isEmpty {
        updates.append("updated_at = $1")
      }
    }
    let conflict =
      updates.isEmpty
      ? "DO NOTHING"
      : """
      DO UPDATE SET \(updates.joined(separator: ", "))
      WHERE \(differences.joined(separator: " OR "))
      """
    // One statement may touch a row once: of rows with the same key the last one counts.
    let keys = key.map(\.quotedIdentifier).joined(separator: ", ")
    return """
      INSERT INTO {{schema}}.\(table) (\(names.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM (
        SELECT DISTINCT ON (\(keys)) * FROM pg_temp.\(staging.name)
        ORDER BY \(keys), \(StagingTable.ordinal) DESC
      ) AS staged
      ORDER BY \(StagingTable.ordinal)
      ON CONFLICT (\(keys)) \(conflict)
      """
  }
}
