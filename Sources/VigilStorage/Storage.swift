/// The requirements on a database, role by role; one conformance suite checks every driver.
///
/// Methods block their thread until the database has answered and may be called from any thread.
/// All of them throw `StorageError`. Code that needs one role takes that protocol alone.
public protocol Storage: SchemaStorage, RunStorage, InputStorage, BatchStorage, ResultStorage,
  QueueStorage, ImportStorage
{}
