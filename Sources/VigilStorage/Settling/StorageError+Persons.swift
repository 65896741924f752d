extension StorageError {
  /// The error of the second of two evaluations of one person at the same time.
  ///
  /// - Parameter database: The name of the database in messages.
  public static func personLocked(in database: String) -> StorageError {
    StorageError(
      .locked, "\(database): this person is being evaluated by another process",
      remedy: "try again in a moment, or wait for longer")
  }
}
