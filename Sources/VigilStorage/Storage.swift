/// The requirements on a database, role by role; one conformance suite checks every driver.
///
/// ```swift
/// import VigilSQLite
///
/// func activeAlerts(in storage: any Storage) throws -> Int {
///   try storage.requireCurrentSchema()
///   return try storage.alertStates(matching: AlertFilter(isActive: true)).count
/// }
///
/// guard let now = Timestamp("2026-06-30T12:00:00Z") else { return }
/// let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
/// defer { try? FileManager.default.removeItem(at: file) }
/// let storage = try SQLiteStorage(path: file.path, mode: .createIfMissing)
/// _ = try storage.migrate(at: now)
/// print(try activeAlerts(in: storage))  // 0
/// ```
///
/// Methods block their thread until the database has answered and may be called from any thread.
/// All of them throw `StorageError`. Code that needs one role takes that protocol alone.
public protocol Storage: SchemaStorage, RunStorage, InputStorage, BatchStorage, ResultStorage,
  QueueStorage, MemberStorage, DispatchStorage, EscalationStorage, PromptStorage, PersonStorage,
  PrivacyStorage, RetentionStorage, LimitStorage, ImportStorage
{}
