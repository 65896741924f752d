import Foundation
import GoldenFiles
import Testing
import VigilModel
import VigilStorage

@testable import VigilReport

@Suite struct RemedyTests {
  private static let present = Profile(version: "v1", digest: String(repeating: "1", count: 64))
  private static let edited = Profile(version: "v1", digest: String(repeating: "2", count: 64))
  private static let other = Profile(version: "v2", digest: String(repeating: "3", count: 64))

  private static let remedies: [Remedy] = [
    .migrate, .migrateOrCorrectSchema, .createDatabaseOnServer, .createDatabase,
    .createEmptyDatabase, .correctDatabase, .correctSchema, .useOwnSchema, .compareSchema,
    .checkInputs, .checkColumns, .addColumn, .listMissingRights, .joinEngine(role: "nightly"),
    .checkPooler, .checkEverything, .importData, .importOrMakeView(rights: nil),
    .importOrMakeView(rights: "run the import as app"), .restoreInput,
    .correctRowsOrRaiseLimit(quarantines: true), .correctRowsOrRaiseLimit(quarantines: false),
    .chooseRowsOfDay, .describeColumns, .chooseDateOrder(quarantines: true),
    .chooseDateOrder(quarantines: false),
    .chooseDecimalMark(quarantines: true), .chooseDecimalMark(quarantines: false), .namePerson,
    .chooseKind, .leaveOut(.person), .leaveOut(.source), .leaveOut(.timeZone),
    .leaveOut(.replacement), .correctRecordsOrKeepDays,
    .waitForRun, .watchRuns, .changeLoginOrRestart, .setClockOrNameDay, .listAlerts,
    .decideAboutHeld(run: Samples.person(1)), .listFailedNotifications, .listChoices, .goLive,
    .countAlertsAsNotified,
    .goLiveBeforeLiveRun,
    .keepOrSwitchProfile(part: .patterns, present: present, wanted: edited),
    .keepOrSwitchProfile(part: .patterns, present: present, wanted: other),
    .keepOrSwitchProfile(part: .vitality, present: present, wanted: other),
    .chooseProfile, .switchToProfile, .switchToRecordedProfile,
  ]

  @Test func everyCodeIsWordedWithCommandsAndOptions() throws {
    try expectSnapshot(
      Self.remedies.map { "\($0.wording)\n" }.joined(), "remedies.txt")
  }

  @Test func adviceStandsForItself() {
    let remedy: Remedy = "free \(3) MiB"
    #expect(remedy.advice == "free 3 MiB")
    #expect(remedy.wording == "free 3 MiB")
    #expect(Remedy.migrate.advice == nil)
  }

  @Test func errorsOfALibraryNameNoCommand() {
    #expect(StorageError(.diskFull, "full", remedy: "free some").description == "full; free some")
    #expect(StorageError(.schemaNotCurrent, "old", remedy: .migrate).description == "old")
  }
}
