import ArgumentParser
import Foundation
import VigilBatch
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

struct Retain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retain",
    abstract: "Moves old rows to an archive, and restores them.",
    discussion: """
      Example:
        vigil retain
        vigil retain --retention 'metrics 2y, queues 90d' --archive /var/lib/vigil/archive --yes
        vigil retain restore /var/lib/vigil/archive/vigil-20261126T030000Z.zip --yes
      """,
    subcommands: [RetainRemove.self, RetainRestore.self], defaultSubcommand: RetainRemove.self)
}

struct RetainRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes rows that are older than the rules keep them, once they are in an archive.",
    discussion: """
      Without --yes it counts the rows by table, and changes nothing. The rules are those of the \
      setting retention, by subject: metrics (daily metrics and workouts), doses, queues \
      (notifications that are over), runs (that are over), messages (the log of text messages), \
      calls (upon caregivers and contacts about alerts that have ended) and prompts (raised alerts \
      and pings that are over). Alerts, scores, insights and measures of doses stay.

      A rule that would remove what nights, late data or active alerts still need is refused, with \
      the date.

      The archive has CSV by table, and manifest.json with the rows, bytes and SHA-256 of each file. \
      It is complete, on the disk and read back before any row goes; all rows go in one transaction.

      Example:
        vigil retain
        vigil retain --archive /var/lib/vigil/archive --yes
      """)

  @Option(help: .setting(\.retention, valueName: "rules"))
  var retention: String?

  @Option(
    name: .customLong("archive"), help: .setting(\.retentionArchive, valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Flag(help: "Removes the rows.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context(
      .option(\.retention, retention)
        .with(.option(\.retentionArchive, folder, by: "--archive")))
    let storage = try context.openCurrentDatabase(yes ? .existing : .existingReadOnly)
    let now = context.clock.now
    let cutoffs = context.settings.retention.cutoffs(on: now.utcDay)
    try context.requireUnneeded(cutoffs, in: storage)
    guard yes else {
      return try context.write(
        RetentionReport(
          rows: storage.oldRows(cutoffs, at: now), cutoffs: cutoffs, archive: nil,
          database: storage.displayName, isDryRun: true))
    }
    let file = try context.archiveFile(at: now)
    let archive = RetentionArchive(
      RetentionManifest(
        cutoffs, at: now, engineVersion: engineVersion, database: context.databaseKind),
      in: file, at: now)
    let lock = try storage.acquireRunLock(for: UUID())
    let removed = try withExtendedLifetime(lock) {
      try storage.removeOldRows(cutoffs, at: now, into: archive)
    }
    // Where the answer to the commit was lost, the second attempt found nothing.
    let rows = removed.isEmpty ? archive.published : removed
    try context.write(
      RetentionReport(
        rows: rows, cutoffs: cutoffs, archive: rows.isEmpty ? nil : file.path,
        database: storage.displayName, isDryRun: false))
  }
}

struct RetainRestore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Brings the rows of an archive back.",
    discussion: """
      Without --yes it checks the archive, counts its rows by table, and changes nothing. Rows that \
      are there stay as they are. Rows of persons who were erased, and rows whose person, medication \
      or alert is gone, are left out. All others come back in one transaction, as they were.

      Example:
        vigil retain restore /var/lib/vigil/archive/vigil-20261126T030000Z.zip
        vigil retain restore /var/lib/vigil/archive/vigil-20261126T030000Z.zip --yes
      """)

  @Argument(
    help: ArgumentHelp("The archive.", valueName: "file"), completion: .file(extensions: ["zip"]))
  var archive: String

  @Flag(help: "Restores the rows.")
  var yes = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let contents = try RetentionArchiveContents(
      path: context.surroundings.path(of: archive), name: archive)
    guard contents.manifest.database == context.databaseKind else {
      throw CommandFailure(
        .badData,
        "\(archive) is of a database of the kind \(contents.manifest.database.terminalSafe), and this one is"
          + " \(context.databaseKind); restore it into one of its own kind")
    }
    let archived = try contents.verified()
    let storage = try context.openCurrentDatabase(yes ? .existing : .existingReadOnly)
    guard yes else {
      return try context.write(
        RestorationReport(
          archived: archived, restored: [:], erased: 0, archive: archive,
          database: storage.displayName, isDryRun: true))
    }
    let isErased = try context.erasedPersons(in: storage) ?? { _ in false }
    let lock = try storage.acquireRunLock(for: UUID())
    var (restored, erased): ([String: RestoredRows], Int) = ([:], 0)
    try withExtendedLifetime(lock) {
      try storage.restoreRows { insert in
        // A lost connection begins anew.
        (restored, erased) = ([:], 0)
        for file in contents.filesByParents {
          var rows = try contents.rows(of: file)
          erased += rows.removePersons(where: isErased)
          restored[file.table, default: RestoredRows()] += try insert(rows)
        }
      }
    }
    try context.write(
      RestorationReport(
        archived: archived, restored: restored, erased: erased, archive: archive,
        database: storage.displayName, isDryRun: false))
  }
}

extension ArchivedRows {
  /// Removes the rows that name one of some persons, and returns their number.
  fileprivate mutating func removePersons(where isMeant: (UUID) -> Bool) -> Int {
    let persons = RetainedTable.named(table)?.persons ?? []
    let places = columns.indices.filter { persons.contains(columns[$0].name) }
    let count = rows.count
    rows.removeAll { row in
      places.contains { row[$0].flatMap { UUID(uuidString: $0) }.map(isMeant) ?? false }
    }
    return count - rows.count
  }
}

extension CommandContext {
  /// `sqlite` or `postgres`.
  fileprivate var databaseKind: String {
    if case .sqlite = settings.database { "sqlite" } else { "postgres" }
  }

  /// A new file in the folder of archives, named by the time.
  fileprivate func archiveFile(at now: Timestamp) throws -> NewFile {
    guard let folder = settings.retentionArchive.path else {
      throw CommandFailure(
        .usage,
        "old rows go to an archive first, and no folder is named for it; give --archive FOLDER, or set"
          + " \(SettingDeclarations.standard.retentionArchive.key.environment)")
    }
    // 2026-11-26T03:00:00.000000Z becomes 20261126T030000Z.
    let time = now.description.filter { $0 != "-" && $0 != ":" }.prefix { $0 != "." }
    let name = "\(folder)/vigil-\(time)Z"
    // Another one of the same second stays as it is.
    let path =
      (["\(name).zip"] + (2...99).map { "\(name)-\($0).zip" })
      .first { !FileManager.default.fileExists(atPath: surroundings.path(of: $0)) } ?? "\(name).zip"
    return try newFile(path, option: "--archive", replaces: true)
  }

  /// Refuses rules that would remove what nights, late data or active alerts need.
  ///
  /// - Throws: `CommandFailure` (64) with the day.
  fileprivate func requireUnneeded(
    _ cutoffs: [RetentionCutoff], in storage: any Storage
  ) throws {
    let month = clock.now.utcDay.firstOfMonth
    if let cutoff = cutoffs.first(where: { $0.subject == .messages }), cutoff.before > month {
      throw CommandFailure(
        .usage,
        "retention: the rule of messages removes rows from before \(cutoff.before), and quotas count the"
          + " text messages from \(month) on; nothing was removed; keep them for longer")
    }
    let needed = cutoffs.filter(\.subject.isInputOfRuns)
    guard !needed.isEmpty else { return }
    let profiles = try RunProfiles(
      settings, own: storage.databaseProfiles(), database: storage.displayName)
    // Candidates are followed beside the profile of the database.
    let candidates = try storage.activeProfiles().compactMap {
      try ThresholdsSource.builtIn($0.profile)?.load()
    }
    let input = NeededInput(
      profiles: [try profiles.thresholds.load()] + candidates,
      vitality: try profiles.vitality.requireVitality())
    let evaluated = try storage.lastEvaluatedDay()
    let yesterday = try today - 1
    let active = try storage.alertStates(matching: AlertFilter(isActive: true))
      .map(\.episode.activeSince).min()
    let night = min(evaluated ?? yesterday, yesterday)
    for cutoff in needed {
      let first =
        cutoff.subject == .doses
        ? input.firstDayOfDoses(for: night, activeSince: active)
        : input.firstDay(for: night, activeSince: active)
      guard cutoff.before > first else { continue }
      throw CommandFailure(
        .usage,
        "retention: the rule of \(cutoff.subject.rawValue) removes rows from before \(cutoff.before), and"
          + " nights, late data and active alerts need those from \(first) on; nothing was removed; keep them for"
          + " longer")
    }
  }
}
