/// What `ON CONFLICT (...)` does with a row that differs in one of some columns.
///
/// - Parameter condition: What else has to be true of the row; nil where nothing has.
func replacement(
  in table: String, setting columns: [String], whereChanged figures: [String],
  _ dialect: SQLDialect, andOnlyWhere condition: String? = nil
) -> String {
  let updates = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  let differences = figures.map { "\(table).\($0) \(dialect.isDifferentFrom) excluded.\($0)" }
    .joined(separator: " OR ")
  let requirement = condition.map { "\($0) AND (\(differences))" } ?? differences
  return "DO UPDATE SET \(updates) WHERE \(requirement)"
}
