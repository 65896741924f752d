extension Finding {
  /// Returns the findings about the schema of a database; one for each table that differs.
  ///
  /// - Parameters:
  ///   - comparison: The schema beside the expected one.
  ///   - backup: The backup to restore.
  ///   - schema: The name of the schema as SQL writes it, with a full stop; empty where there is none.
  public static func onCatalogue(
    _ comparison: CatalogueComparison, backup: String, schema: String = ""
  ) -> [Finding] {
    guard !comparison.differences.isEmpty else {
      return [
        Finding(
          check: "catalogue", status: .ok,
          detail: "as the migrations make it (\(comparison.entryCount) definitions compared)")
      ]
    }
    return comparison.differences.map { difference in
      let shown = difference.faults.prefix(5).joined(separator: "; ")
      let others = difference.faults.count > 5 ? "; and \(difference.faults.count - 5) more" : ""
      let place = difference.table.isEmpty ? "functions" : difference.table
      return Finding(
        check: "catalogue", status: difference.isFailure ? .failure : .warning,
        detail: "\(place): \(shown)\(others)",
        remedy: .advice(remedy(for: difference, backup: backup, schema: schema)))
    }
  }

  private static func remedy(
    for difference: CatalogueComparison.Difference, backup: String, schema: String
  ) -> String {
    let indexes = difference.missingIndexes
    guard difference.isFailure, difference.faults.count == indexes.count else {
      return difference.isFailure
        ? "restore \(backup), or migrate an empty database and copy the rows that are left"
        : "take the change back, or keep it if you know that runs work with it"
    }
    return indexes.map { $0.replacing("\(CatalogueComparison.schema).", with: schema) + ";" }
      .joined(separator: " ")
  }
}
