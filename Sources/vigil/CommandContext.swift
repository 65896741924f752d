import Foundation
import Logging
import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

/// All that a command works with once its settings are known; its threads may use it.
struct CommandContext: Sendable {
  /// The surroundings of the command.
  let surroundings: CommandSurroundings
  let settings: Settings
  let clock: CommandClock
  /// The system's time zones: one catalogue for the whole command.
  let zones: ZoneCatalog
  let logger: Logger
  /// Columns that lists keep to; nil for no limit.
  private let width: Int?

  init(settings: Settings, clock: CommandClock, zones: ZoneCatalog, width: Int?) {
    let surroundings = CommandSurroundings.current
    self.surroundings = surroundings
    self.settings = settings
    self.width = width
    self.clock = clock
    self.zones = zones
    let level = settings.isQuiet ? max(settings.logLevel, .error) : settings.logLevel
    let handler = ConsoleLogHandler(logLevel: level, form: settings.logFormat) {
      surroundings.console.write(line: $0)
    }
    surroundings.console.use(settings.logFormat)
    logger = Logger(label: "vigil") { _ in handler }
  }

  var interruption: Interruption { surroundings.interruption }

  /// Opens the database of the settings; its schema may be of any version.
  func openDatabase(_ access: DatabaseAccess) throws -> any Storage {
    try settings.openDatabase(access, in: surroundings.folder) { database, reason in
      logger.notice(
        "Waiting for the database (--quiet hides this, VIGIL_DATABASE_RETRY sets how long)",
        metadata: [
          "database": "\(database)", "reason": "\(reason)",
          "seconds": "\(settings.databaseRetry / .seconds(1))",
        ])
    }
  }

  /// Opens a database that must be there and have this version's schema.
  func openCurrentDatabase(_ access: DatabaseAccess) throws -> any Storage {
    let storage = try openDatabase(access)
    try storage.requireCurrentSchema()
    return storage
  }

  /// Writes the command's result to standard output.
  func write(_ report: some Report) throws {
    switch settings.format {
    case .text:
      let style = textStyle
      try surroundings.standardOutput.write(
        style.fitted(style.terminalSafe(report.text(style: style))))
    case .json: try surroundings.standardOutput.write(report.json())
    case .csv, .jsonl, .fhir:
      guard let list = report as? any ListReport else {
        preconditionFailure("CommonOptions.context lets lists alone write CSV")
      }
      try surroundings.standardOutput.write(rows: Array(list.csv().utf8))
    }
  }

  private var textStyle: TextStyle {
    switch settings.color {
    case .auto: TextStyle(usesColor: surroundings.standardOutput.isTerminal, width: width)
    case .always: TextStyle(usesColor: true, width: width)
    case .never: TextStyle(usesColor: false, width: width)
    }
  }

  /// A file for a result of the command, created only by what is written to it.
  ///
  /// - Parameters:
  ///   - path: The name of the file.
  ///   - option: The option that names it, such as `--out`.
  ///   - replaces: Whether a file of this name may be there.
  ///   - isPrivate: Whether the file is its owner's alone; results about persons are.
  /// - Throws: `CommandFailure`: 64 where it is the database; `NewFileError` where it is there or
  ///   cannot be created.
  func newFile(
    _ path: String, option: String, replaces: Bool, isPrivate: Bool = true
  ) throws -> NewFile {
    let place = surroundings.path(of: path)
    if case .sqlite(let database) = settings.database,
      Self.belongs(place, to: surroundings.path(of: database))
    {
      throw CommandFailure(.usage, "\(option) \(path) is the database; choose another name")
    }
    return try NewFile(
      path: path, at: place, replaces: replaces, readers: isPrivate ? .owner : .umask)
  }

  /// Whether a name is that of a database file, or of one that SQLite keeps beside it.
  private static func belongs(_ path: String, to database: String) -> Bool {
    let own = URL(filePath: database).resolvingSymlinksInPath().path
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    return ["", "-wal", "-shm", "-journal"].contains { own + $0 == file }
  }

  /// Progress that shows only on a terminal and not with `--quiet`.
  func progress(_ label: String) -> ProgressIndicator {
    ProgressIndicator(
      label: label, console: surroundings.console,
      isEnabled: surroundings.console.isTerminal && !settings.isQuiet)
  }

  /// Refuses a day that has not begun: what is known of it would count as missing.
  ///
  /// - Parameter option: The option that gave it, such as `--date`.
  /// - Throws: `CommandFailure` (64); `ZoneFault` where the system lacks the rules of the time zone.
  func requireBegun(_ day: Day, option: String) throws {
    let today = try today
    guard day > today else { return }
    throw CommandFailure(
      .usage,
      "\(option) \(day) is after today, \(today) in \(settings.timeZone.name); give an earlier day, or"
        + " set the clock")
  }

  /// The date in the time zone of the settings.
  ///
  /// - Throws: `ZoneFault` where the system lacks its rules.
  var today: Day {
    get throws { Day(clock.now, in: try settings.timeZone.rules.get()) }
  }
}
