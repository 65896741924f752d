public import VigilStorage

extension Migration {
  /// The subjects of the migrations, in order; both databases have a pair of files for each.
  private static let subjects = [
    "inputs", "roles", "alerts", "runs", "contacts", "queues", "provisional", "medication",
    "adherence", "vitality", "privacy", "actions", "settings", "text_messages", "history",
  ]

  /// Returns the migrations of a database.
  ///
  /// - Parameter files: The texts of `NNNN_subject.up.sql` and `NNNN_subject.down.sql`, one pair for each
  ///   subject, in order.
  public static func numbered(_ files: [(up: String, down: String)]) -> [Migration] {
    precondition(files.count == subjects.count, "every subject has its two files")
    return zip(subjects, files).enumerated().map { index, migration in
      let (subject, file) = migration
      return Migration(
        number: index + 1, name: subject, up: file.up, down: file.down)
    }
  }
}
