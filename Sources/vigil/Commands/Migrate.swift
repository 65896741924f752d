import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings the database's schema to this version; creates the database.",
    discussion: """
      Before it changes an existing file it copies it beside itself. The newest three copies stay, and \
      each older one that alone holds rows of some table.

      Taking a migration back drops its tables. Where they hold rows, that needs --drop-data; of a \
      PostgreSQL database, of which Vigil makes no copy, also --no-backup.

      Example:
        vigil migrate --database sqlite:clinic.sqlite
        vigil migrate --status
      """)

  @Flag(help: "Only lists which migrations are applied and which are pending.")
  var status = false

  @Option(help: ArgumentHelp("Takes the newest N migrations back.", valueName: "n"))
  var down: Int?

  @Flag(help: "Lets --down drop tables that hold rows.")
  var dropData = false

  @Flag(
    help: "Lets --drop-data change a PostgreSQL database, of which there is a backup of your own.")
  var noBackup = false

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if status, down != nil { throw ValidationError("--status and --down exclude each other") }
    if let down, down < 1 { throw ValidationError("--down needs a number from 1 on") }
    if dropData, down == nil { throw ValidationError("--drop-data goes with --down") }
    if noBackup, !dropData { throw ValidationError("--no-backup goes with --drop-data") }
  }

  func run() throws {
    let context = try common.context()
    let access: DatabaseAccess =
      if status {
        .existingReadOnly
      } else if down != nil {
        .existing
      } else {
        .createIfMissing
      }
    let storage = try context.openDatabase(access)
    if let down { try requireConsent(to: down, of: storage, context) }
    let action: MigrationsReport.Action =
      if status {
        .status
      } else if let down {
        .takenBack(try storage.migrateDown(count: down, at: context.clock.now))
      } else {
        .applied(try storage.migrate(at: context.clock.now))
      }
    try context.write(
      MigrationsReport(
        database: storage.displayName, action: action, migrations: try storage.migrations()))
  }

  /// Refuses to drop rows without --drop-data, and those of a server without --no-backup, too.
  private func requireConsent(
    to count: Int, of storage: any Storage, _ context: CommandContext
  ) throws {
    let lost = try storage.rowsLost(byTakingBack: count)
    guard !lost.isEmpty else { return }
    let tables = lost.map { "\($0.table) (\($0.rows))" }.joined(separator: ", ")
    guard dropData else {
      throw CommandFailure(
        .usage,
        "--down \(count) drops tables of \(storage.displayName) that hold rows: \(tables); nothing was changed; add"
          + " --drop-data to lose them")
    }
    if case .sqlite = context.settings.database { return }
    guard noBackup else {
      let schema = context.settings.schema
      throw CommandFailure(
        .usage,
        "--down \(count) drops tables of \(storage.displayName) that hold rows: \(tables); nothing was changed; make a"
          + " backup, such as pg_dump --format=custom --schema='\(schema)' --file=vigil.dump DATABASE, and add"
          + " --no-backup")
    }
  }
}
