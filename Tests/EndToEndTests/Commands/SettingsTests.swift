import Foundation
import Logging
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import vigil

@Suite struct SettingsTests {
  private func settings(_ environment: [String: String]) throws -> Settings {
    try Settings(
      .resolved(flags: [:], environment: environment, file: [:]), zones: .system)
  }

  @Test func defaultsAreAllowedValues() throws {
    let settings = try settings([:])
    #expect(settings.database == .sqlite(path: "vigil.sqlite"))
    #expect(settings.mode == .shadow)
    #expect(settings.maxBadRows == 0.01)
    #expect(settings.thresholds == .auto)
    #expect(settings.logLevel == .notice)
  }

  @Test("every declaration is a setting, with a name of its own")
  func declarations() {
    let keys = SettingDeclarations.keys
    #expect(keys.count == Mirror(reflecting: SettingDeclarations.standard).children.count)
    #expect(Set(keys).count == keys.count)
    #expect(keys.first?.name == "database")
  }

  @Test("variable, option and help follow from the declaration")
  func derivedNames() {
    let key = SettingDeclarations.standard.maxNotifiedPersons.key
    #expect(key.environment == "VIGIL_MAX_NOTIFIED_PERSONS")
    #expect(key.option == "--max-notified-persons")
    #expect(
      key.help
        == "Persons about whom a live run notifies without asking: a number, or a percentage of the"
        + " persons (default: 5%); 20 are always allowed where it is a percentage.")
  }

  @Test(arguments: ["true", "0", "no", "False", "FALSE", " false", "live", "off"])
  func onlyTheWordFalseMeansLive(text: String) throws {
    #expect(try settings(["VIGIL_SHADOW_MODE": text]).mode == .shadow)
    #expect(try settings(["VIGIL_SHADOW_MODE": "false"]).mode == .live)
  }

  @Test(arguments: [
    ("1%", 0.01), ("0.5 %", 0.005), ("0", 0), ("1", 1), ("100%", 1), ("0.02", 0.02),
  ])
  func sharesMayBePercentagesOrFractions(text: String, share: Double) throws {
    let read = try settings(["VIGIL_MAX_BAD_ROWS": text]).maxBadRows
    #expect(abs(read - share) < 1e-15)
  }

  @Test(arguments: ["-1%", "101%", "1.5", "nan", "inf", "0x1", "1e-2", "%", "one"])
  func otherSharesAreRefused(text: String) {
    #expect(throws: SettingsError.self) { try settings(["VIGIL_MAX_BAD_ROWS": text]) }
  }

  @Test func emptyVariableCountsAsNotSet() throws {
    #expect(try settings(["VIGIL_DATABASE": ""]).database == .sqlite(path: "vigil.sqlite"))
  }

  @Test(arguments: [
    ("postgres://u:p@h/d", "postgres://u:***@h/d"),
    ("postgres://u:p@ss/w@h/d", "postgres://u:***@h/d"),
    ("postgres://h/d?password=x&a=b", "postgres://h/d?password=***&a=b"),
    ("postgres://h/d?sslPassword=x", "postgres://h/d?sslPassword=***"),
    ("postgres://u@h/d", "postgres://u@h/d"), ("sqlite:a@b:c", "sqlite:a@b:c"),
  ])
  func passwordsAreRedacted(url: String, shown: String) {
    #expect(ConnectionSecrets.hidden(inValue: url) == shown)
  }

  @Test(arguments: ["", "vigil.sqlite", "sqlite:", "mysql://h/d", "sqlite:a\0b"])
  func otherLocationsAreRefused(text: String) {
    #expect(DatabaseLocation(text) == nil)
  }
}

@Suite struct ErrorLineTests {
  @Test(
    arguments: zip(
      StorageError.Code.allCases,
      [69, 69, 65, 65, 69, 73, 73, 73, 75, 65, 77, 65, 65, 69, 65, 70] as [Int32]))
  func everyStorageErrorHasItsExitStatus(code: StorageError.Code, status: Int32) {
    let failure = CommandFailure(StorageError(code, "what", remedy: "do this"))
    #expect(failure.status.rawValue == status)
    #expect(failure.line == "vigil: what; do this")
  }

  @Test func messageIsAlwaysOneLine() {
    let failure = CommandFailure(.badData, "two files are bad:\n  a.csv: x\r\n\n  b.csv: y\n")
    #expect(failure.line == "vigil: two files are bad: a.csv: x b.csv: y")
  }

  @Test func unforeseenErrorQuotesNoData() throws {
    struct Surprise: Error { var value = "resting_hr 71 of Ada" }
    let failure = CommandFailure(Surprise())
    #expect(failure.status == .internalError)
    let line = try #require(failure.line)
    #expect(line.contains("Surprise"))
    #expect(!line.contains("Ada"))
  }
}

@Suite struct LogLineTests {
  private let time = Timestamp(microseconds: 0)

  private func line(_ metadata: Logger.Metadata, own: Logger.Metadata? = nil) -> String {
    let event = LogEvent(
      level: .notice, message: "batch written", metadata: own, source: "vigil", file: "",
      function: "", line: 1)
    return LogForm.text.line(event, metadata: metadata, at: time)
  }

  @Test func metadataFollowTheMessageInOrder() {
    #expect(
      line(["run": "1f2e", "batch": "7"])
        == "1970-01-01T00:00:00.000000Z notice batch written batch=7 run=1f2e")
  }

  @Test func ownMetadataWin() {
    #expect(line(["run": "1"], own: ["run": "2"]).hasSuffix(" run=2"))
  }

  @Test func valueCannotBreakTheLine() {
    let text = line(["path": "a b\nc\"d\\e", "empty": ""])
    #expect(text.hasSuffix(#" empty="" path="a b\nc\"d\\e""#))
    #expect(!text.contains("\n"))
  }
}

@Suite struct PersonListTests {
  @Test func idsStandOneALineAmongBlankLinesAndRemarks() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "# ward 7\n\n6F0B7C1E-6F5C-5A53-9D1C-5E0F4B7A9C21\r\n participant-1 \nparticipant-1\n",
      to: "users.txt")
    let list = try PersonList(path: folder.url.appending(path: "users.txt").path)
    #expect(list.texts == ["6F0B7C1E-6F5C-5A53-9D1C-5E0F4B7A9C21", "participant-1"])
  }

  @Test func listWithoutAPersonIsAnError() throws {
    let folder = try TemporaryFolder()
    try folder.write("# no person\n\n", to: "users.txt")
    #expect(throws: CommandFailure.self) {
      try PersonList(path: folder.url.appending(path: "users.txt").path)
    }
  }
}

@Suite struct CalendarDayTests {
  @Test(arguments: [
    ("2026-06-30T22:30:00Z", "Europe/Berlin", "2026-07-01"),
    ("2026-06-30T21:30:00Z", "Europe/Berlin", "2026-06-30"),
    ("2026-06-30T03:59:00Z", "America/New_York", "2026-06-29"),
    ("2026-06-30T12:00:00Z", "UTC", "2026-06-30"),
  ])
  func dayIsThatOfTheTimeZone(time: String, zone: String, day: String) throws {
    let time = try #require(Timestamp(time))
    let zone = try #require(ZoneCatalog.system.rules(of: zone))
    #expect(Day(time, in: zone).description == day)
  }
}
