import ArgumentParser
import Foundation
import Logging
import VigilModel
import VigilReport
import VigilStorage

struct PersonErase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Removes all that is stored about a person.",
    discussion: """
      Without --yes it counts the rows by table, and changes nothing. With --after, the first night \
      from then on erases the person; --revoke takes that back. What stays is a digest under the key \
      of erasure_key_file, by which imports leave the person out.

      Afterwards it searches all tables, the file and Vigil's own backups for the id. A backup that \
      still holds the person is named; remove it.

      Example:
        vigil person erase participant-12
        vigil person erase participant-12 --yes
        vigil person erase participant-12 --after 30d --yes
        vigil person erase participant-12 --revoke
      """)

  @OptionGroup var argument: PersonArgument

  @Option(
    help: ArgumentHelp(
      "Erases the person in the first night after this time: hours, days or weeks, such as 30d.",
      valueName: "age"),
    transform: Age.argument)
  var after: Age?

  @Flag(help: "Takes an erasure with --after back.")
  var revoke = false

  @Flag(help: "Erases the person, or, with --after, requests it.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if revoke, yes || after != nil {
      throw ValidationError("--revoke stands alone: it needs neither --yes nor --after")
    }
  }

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(yes || revoke ? .existing : .existingReadOnly)
    try storage.requireRightsToErasePersons()
    if revoke {
      let person = try argument.known(in: storage)
      let hadRequest = try storage.revokeErasure(of: person)
      return try context.write(report(person, .revoked(hadRequest: hadRequest), in: storage))
    }
    let person = try argument.person(in: storage)
    let rows = try storage.personalRowCounts(of: person)
    guard !rows.isEmpty else { return try finish(person, storage, context) }
    guard yes else {
      return try context.write(report(person, .planned, rows, in: storage))
    }
    let key = try context.requiredErasureKey()
    if let after {
      let now = context.clock.now
      let request = ErasureRequest(
        person: try argument.known(in: storage), requestedAt: now,
        dueAt: now.adding(seconds: after.seconds))
      try storage.record(request)
      return try context.write(
        report(person, .requested(dueAt: request.dueAt), rows, in: storage))
    }
    let erased = try context.erase(person, from: storage, by: key)
    try write(
      report(person, .erased, erased, traces: storage.traces(of: person), in: storage), context)
  }

  /// A person without rows: an erasure that was cut off after its rows were removed is completed.
  private func finish(_ person: UUID, _ storage: any Storage, _ context: CommandContext) throws {
    guard let key = try context.erasureKey(),
      let record = try storage.erasedPersons().first(where: { $0.digest == key.digest(of: person) })
    else {
      _ = try argument.known(in: storage)
      return try context.write(report(person, .planned, in: storage))
    }
    if yes { try storage.overwriteRemovedRows(of: person) }
    try write(
      report(
        person, .erasedBefore(record.erasedAt), traces: storage.traces(of: person), in: storage),
      context)
  }

  private func report(
    _ person: UUID, _ step: ErasureReport.Step, _ rows: [PersonalRowCount] = [],
    traces: [PersonTrace]? = nil, in storage: any Storage
  ) -> ErasureReport {
    ErasureReport(
      person: person, step: step, rows: rows, traces: traces, database: storage.displayName)
  }

  /// Writes a report, and fails where more than backups still hold the id.
  private func write(_ report: ErasureReport, _ context: CommandContext) throws {
    try context.write(report)
    let isLeft = (report.traces ?? []).contains { trace in
      if case .backup = trace { false } else { true }
    }
    if isLeft { throw CommandFailure(.tryAgain) }
  }
}

extension CommandContext {
  /// Erases a person under the lock of runs, and overwrites what the rows leave in a file.
  ///
  /// - Throws: `StorageError`, with `.locked` while a run is at work.
  func erase(
    _ person: UUID, from storage: any Storage, by key: ErasureKey
  ) throws -> [PersonalRowCount] {
    let lock = try storage.acquireRunLock(for: UUID())
    return try withExtendedLifetime(lock) {
      let rows = try storage.erase(
        person, recording: ErasedPerson(person, by: key, at: clock.now))
      try storage.overwriteRemovedRows(of: person)
      return rows
    }
  }

  /// Carries out the erasures that are due; a night begins with them.
  ///
  /// An error is logged, and the night goes on.
  func eraseDuePersons(from storage: any Storage) {
    do {
      let due = try storage.erasureRequests().filter { $0.dueAt <= clock.now }
      guard !due.isEmpty else { return }
      try storage.requireRightsToErasePersons()
      let key = try requiredErasureKey()
      for request in due { _ = try erase(request.person, from: storage, by: key) }
      logger.notice("Erased persons as requested", metadata: ["persons": "\(due.count)"])
    } catch let error as StorageError where error.code == .permissionDenied {
      // A login that may not read the requests, such as a backfill's, has none to carry out.
      guard (try? storage.erasureRequests()) != nil else { return }
      logger.error(
        "An erasure is due and not carried out",
        metadata: ["reason": "\(CommandFailure(error).message ?? "")"])
    } catch {
      logger.error(
        "An erasure is due and not carried out",
        metadata: ["reason": "\(CommandFailure(error).message ?? "")"])
    }
  }
}
