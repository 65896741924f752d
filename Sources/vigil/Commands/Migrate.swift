import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings the database's schema to this version; creates the database.",
    discussion: """
      Before it changes an existing file it copies it beside itself.

      Example:
        vigil migrate --database sqlite:clinic.sqlite
        vigil migrate --status
      """)

  @Flag(help: "Only lists which migrations are applied and which are pending.")
  var status = false

  @Option(help: ArgumentHelp("Takes the newest N migrations back.", valueName: "n"))
  var down: Int?

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func validate() throws {
    if status, down != nil { throw ValidationError("--status and --down exclude each other") }
    if let down, down < 1 { throw ValidationError("--down needs a number from 1 on") }
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
}
