import VigilModel
public import VigilStorage

extension Remedy {
  /// The remedy in words, with the commands and options of `vigil`.
  public var wording: String {
    switch self {
    case .advice(let words): words

    case .migrate: "run `vigil migrate`"
    case .migrateOrCorrectSchema: "run `vigil migrate`, and check --schema"
    case .createDatabaseOnServer:
      "create it as an administrator: CREATE DATABASE ...; then `vigil migrate`"
    case .createDatabase: "`vigil migrate` creates an empty one, `vigil import` one with data"
    case .createEmptyDatabase: "`vigil migrate` creates an empty one"
    case .correctDatabase: "check the path given as --database; the file was not touched"
    case .correctSchema: "correct --schema"
    case .useOwnSchema: "migrate a schema of its own (--schema NAME)"

    case .compareSchema: "`vigil doctor` compares it with that of this version"
    case .checkInputs: "`vigil doctor` names what the tables, and input tables or views, lack"
    case .checkColumns: "`vigil doctor` compares the columns with what Vigil needs"
    case .addColumn:
      "add it to the view, or to the table; `vigil doctor` lists what else is missing"
    case .listMissingRights: "`vigil doctor` prints the missing grants"
    case .joinEngine(let role):
      "run as a member of vigil_engine (GRANT vigil_engine TO \(role)); `vigil doctor` lists all"
        + " that is missing"
    case .checkPooler: "`vigil doctor` shows whether a pooler is in between"
    case .checkEverything: "vigil doctor --full checks every page, index and reference"

    case .importData: "vigil import csv DIR"
    case .importOrMakeView(let rights):
      // Rights may end with the statements of SQL that grant them.
      (rights ?? "vigil import csv DIR") + (rights?.hasSuffix(";") == true ? "" : ",")
        + " or a view of your own table (docs/own-tables.md)"
    case .restoreInput: "check what brings the data in, or vigil import csv DIR"
    case .correctRowsOrRaiseLimit(let quarantines):
      "correct the rows, or raise the limit with --max-bad-rows"
        + (quarantines ? ": the run then lists them in quarantined_rows" : "")

    case .chooseRowsOfDay:
      "say what counts with --same-day sum, longest, last or max (sum adds a nap to the night)"
    case .describeColumns:
      "give it with --map COLUMN=NAME, --user ID or --source NAME; where the header comes later, --skip-lines N"
    case .chooseDateOrder(let quarantines):
      quarantines
        ? "correct one, or give --dates dmy or --dates mdy, which quarantines the others"
        : "give --dates dmy or --dates mdy"
    case .chooseDecimalMark(let quarantines):
      quarantines
        ? "correct one, or give --decimals point or --decimals comma, which quarantines the others"
        : "give --decimals point or --decimals comma"
    case .namePerson: "for the export of an account, give --user ID"
    case .chooseKind: "choose one with --kind NAME, or give each a folder of its own"
    case .leaveOut(let answer):
      switch answer {
      case .person: "leave --user out"
      case .source: "leave --source out"
      case .timeZone: "leave --time-zone out"
      case .replacement: "leave --replace out"
      }
    case .correctRecordsOrKeepDays: "correct them, or import without --replace"

    case .waitForRun:
      "try again when that run has ended; where its machine is gone, `vigil doctor` says how to end"
        + " its session"
    case .watchRuns: "that process ends it; vigil runs shows how"
    case .changeLoginOrRestart:
      "use that login or a member of vigil_engine, or begin anew with --restart"
    case .setClockOrNameDay: "set the clock, or give --date"
    case .listAlerts: "vigil alerts list shows them"
    case .decideAboutHeld(let run):
      "vigil queue list --held, then vigil runs release \(run.lowercased), or discard"
    case .listChoices: "vigil person settings lists them"
    case .listFailedNotifications:
      "vigil queue list --status failed, then vigil queue retry ID once the cause is removed"
    case .goLive: "vigil golive"
    case .countAlertsAsNotified: "run vigil golive first, which counts them as notified"
    case .goLiveBeforeLiveRun: "before the first run with --live: vigil golive"

    case .keepOrSwitchProfile(let part, let present, let wanted):
      Self.profileChoice(part == .vitality ? "--vitality" : "--thresholds", present, wanted)
    case .chooseProfile:
      "choose one with --thresholds and --switch-profile: the alerts of the others end, and no"
        + " member is notified"
    case .switchToProfile:
      "vigil run --thresholds FILE --switch-profile ends the alerts of the others and notifies no"
        + " member"
    case .switchToRecordedProfile: "vigil run --switch-profile ends those and notifies no member"
    }
  }

  private static func profileChoice(
    _ option: String, _ present: Profile, _ wanted: Profile
  ) -> String {
    wanted.version == present.version
      ? "give \(option) the file as it was, or --switch-profile to go on with the changed one"
      : "give \(option) \(present.version), or --switch-profile to go on with \(wanted.version)"
  }
}
