public import Foundation
public import VigilModel

/// The action that fixes a failure or a finding.
///
/// Advice that names SQL, files or servers is text. Everything that `vigil` does by a command or an option is
/// a code, because other programs have other commands; VigilReport words the codes for `vigil`.
///
/// ```swift
/// let full = StorageError(
///   .diskFull, "no space is left", remedy: "free some space and run the command again")
/// print(full)  // no space is left; free some space and run the command again
/// let old = StorageError(.schemaNotCurrent, "migrations are pending", remedy: .migrate)
/// print(old)  // migrations are pending
/// ```
public enum Remedy: Hashable, Sendable {
  /// Words that name no command and no option.
  case advice(String)

  // MARK: Databases and schemas

  /// Migrate the database.
  case migrate
  /// Migrate the database, unless the schema has another name.
  case migrateOrCorrectSchema
  /// Create the database on its server, and migrate it.
  case createDatabaseOnServer
  /// Create a database, empty or by an import.
  case createDatabase
  /// Create an empty database.
  case createEmptyDatabase
  /// Name another database; the file was not changed.
  case correctDatabase
  /// Name another schema.
  case correctSchema
  /// Migrate a schema that belongs to Vigil alone.
  case useOwnSchema

  // MARK: Diagnosis

  /// Compare the schema with that of this version.
  case compareSchema
  /// Look for tables and columns that are missing from the input.
  case checkInputs
  /// Compare the types of columns with those that Vigil needs.
  case checkColumns
  /// Add a column to a table or view; a diagnosis lists others that are missing.
  case addColumn
  /// List the rights that the role lacks.
  case listMissingRights
  /// Run as a member of `vigil_engine`.
  ///
  /// - role: The role that lacks it, as SQL writes it.
  case joinEngine(role: String)
  /// Find out whether a pooler is between the process and the server.
  case checkPooler
  /// Check every page, index and reference.
  case checkEverything

  // MARK: Input

  /// Import data.
  case importData
  /// Import data, or make a view of another table.
  ///
  /// - rights: What the role needs before it can import; nil where it can.
  case importOrMakeView(rights: String?)
  /// Check what brings data in, or import them.
  case restoreInput
  /// Correct the unusable rows, or allow more of them.
  ///
  /// - quarantines: Whether a run then lists them in `quarantined_rows`.
  case correctRowsOrRaiseLimit(quarantines: Bool)
  /// Say what counts where several rows are of one day.
  case chooseRowsOfDay
  /// Say what the columns of a file are, and what holds for all of its rows.
  case describeColumns
  /// Say which part of the dates comes first.
  ///
  /// - quarantines: Whether rows with the other order are then quarantined.
  case chooseDateOrder(quarantines: Bool)
  /// Say what the decimal mark is.
  ///
  /// - quarantines: Whether rows with the other mark are then quarantined.
  case chooseDecimalMark(quarantines: Bool)
  /// Name the person whose account was exported.
  case namePerson
  /// Name one of several kinds of files.
  case chooseKind
  /// Leave an answer out that files of a kind do not ask for.
  case leaveOut(Answer)
  /// Correct the records, or keep days that an export lacks.
  case correctRecordsOrKeepDays

  // MARK: Runs and alerts

  /// Try again when the other run has ended, or end its session.
  case waitForRun
  /// Look at the runs: another process ends this one.
  case watchRuns
  /// Use another login, or begin the run anew.
  case changeLoginOrRestart
  /// Set the clock, or name the day.
  case setClockOrNameDay
  /// Choose an alert from the list.
  case listAlerts
  /// Decide about the notifications that runs hold; the newest of the runs is named.
  case decideAboutHeld(run: UUID)
  /// Look at the notifications that failed, and send them again.
  case listFailedNotifications
  /// Look at what persons have chosen about calls.
  case listChoices
  /// Count active alerts as notified.
  case goLive
  /// Count active alerts as notified before the first live run, which was refused.
  case countAlertsAsNotified
  /// Count active alerts as notified before the first live run.
  case goLiveBeforeLiveRun

  // MARK: Profiles

  /// Go back to the settings that the rows are made with, or switch to the others.
  ///
  /// - part: `vitality` for a vitality file, any other part for a thresholds file.
  case keepOrSwitchProfile(part: RunPart, present: Profile, wanted: Profile)
  /// Choose one of several profiles and switch to it.
  case chooseProfile
  /// Switch to a profile that is to be named; alerts of the others end.
  case switchToProfile
  /// Switch to the recorded profile; alerts of the others end.
  case switchToRecordedProfile
}

extension Remedy: ExpressibleByStringInterpolation {
  public init(stringLiteral words: String) {
    self = .advice(words)
  }

  /// The text of advice; nil for a code.
  public var advice: String? {
    if case .advice(let words) = self { words } else { nil }
  }

  /// A user's answer to a question that files leave open.
  public enum Answer: Hashable, Sendable, CaseIterable {
    case person, source, timeZone, replacement
  }
}
