import Foundation
import TestSupport
import Testing
import VigilModel

@testable import VigilImport

@Suite struct FITDaysTests {
  let folder: TemporaryFolder
  var options: ImportOptions

  init() throws {
    folder = try TemporaryFolder()
    options = ImportOptions(
      today: try #require(Day("2026-06-30")),
      now: try #require(Timestamp("2026-06-30T03:00:00Z")), zones: .system, maxBadRowFraction: 0.5)
  }

  private func open(_ name: String = "", zone: String? = nil) throws -> AutoImport {
    try AutoImport(
      path: folder.file(name), request: .init(user: "anna", timeZone: zone), options: options)
  }

  private func days(_ name: String = "", zone: String? = nil) throws -> [String] {
    (try open(name, zone: zone).contents?.days ?? []).map { day in
      let values = day.values.sorted { $0.key < $1.key }.map { metric, value in
        "\(metric)=\((value * 100).rounded() / 100)"
      }
      return "\(day.day) " + values.joined(separator: " ")
    }
  }

  private func write(_ builder: FITBuilder, to name: String) throws {
    try folder.write(Data(builder.file()), to: name)
  }

  private func bytes(_ time: String) -> [UInt8] { FITBuilder.bytes(FITBuilder.time(time)) }

  /// A day of a device two hours before UTC: counters of walking and running, their last values at midnight.
  private func monitoring(
    serial: UInt32 = 77, walking: UInt32 = 8_000, manufacturer: UInt16 = 1
  ) -> FITBuilder {
    var builder = FITBuilder()
    builder.addFileID(manufacturer: manufacturer, serial: serial)
    builder.define(1, as: 103, [.time, .uint32(0)])
    builder.add(1, bytes("2026-05-31T22:00:00Z"), bytes("2026-06-01T00:00:00Z"))
    // Lower bits of the time, twice across their end, and the kind of activity in five bits.
    builder.define(2, as: 55, [.uint16(26), .byte(24), .uint16(9)])
    for (hour, steps) in [("06", 500), ("20", 3_000), ("21", walking - 1)] as [(String, UInt32)] {
      let time = FITBuilder.time("2026-06-01T\(hour):30:00Z")
      builder.add(
        2, FITBuilder.bytes(UInt16(truncatingIfNeeded: time)), [2 << 5 | 6],
        FITBuilder.bytes(UInt16(steps)))
    }
    builder.define(3, as: 55, [.time, .enumeration(5), .uint32(3), .uint16(19)])
    let midnight = bytes("2026-06-01T22:00:00Z")
    for (kind, steps, calories) in [(6, walking, 310), (1, 1_200, 90), (2, 77, 40)]
      as [(UInt8, UInt32, UInt16)]
    {
      builder.add(3, midnight, [kind], FITBuilder.bytes(steps), FITBuilder.bytes(calories))
    }
    builder.define(4, as: 55, [.time, .uint16(33), .uint16(34)])
    builder.add(4, bytes("2026-06-01T10:00:00Z"), [3, 0], [0, 0])
    builder.add(4, bytes("2026-06-01T11:00:00Z"), [4, 0], [10, 0])
    // The day begins with what was found the day before.
    builder.define(5, as: 211, [.time, .uint8(0), .uint8(1)])
    builder.add(5, bytes("2026-06-01T00:07:00Z"), [58], [61])
    builder.add(5, bytes("2026-06-01T18:00:00Z"), [57], [55])
    return builder
  }

  private func sleep() -> FITBuilder {
    var builder = FITBuilder()
    builder.addFileID()
    builder.define(1, as: 275, [.time, .enumeration(0)])
    let levels: [(String, UInt8)] = [
      ("2026-06-01T20:50", 1), ("2026-06-01T21:00", 2), ("2026-06-01T23:00", 3),
      ("2026-06-02T00:30", 1), ("2026-06-02T00:40", 4), ("2026-06-02T02:10", 0),
      ("2026-06-02T02:20", 2), ("2026-06-02T05:00", 1), ("2026-06-02T05:15", 1),
      // A nap, hours later.
      ("2026-06-02T12:00", 2), ("2026-06-02T12:30", 1),
    ]
    for (time, level) in levels { builder.add(1, bytes(time + ":00Z"), [level]) }
    return builder
  }

  private static let monitored =
    "2026-06-01 active_calories=440.0 movement_minutes=17.0 resting_hr=55.0 steps=9200.0"
  private static let slept =
    "2026-06-02 awake_minutes=10.0 deep_sleep_minutes=90.0 light_sleep_minutes=280.0 rem_sleep_minutes=90.0"
    + " sleep_minutes=460.0"

  @Test func readsTheDayOfADevice() throws {
    try write(monitoring(), to: "M1.FIT")
    #expect(try days("M1.FIT") == [Self.monitored])
    // The clock of the device decides, not the zone that is given.
    #expect(try days("M1.FIT", zone: "Pacific/Auckland") == [Self.monitored])
    let interpretation = try #require(try open("M1.FIT").interpretation)
    #expect(interpretation.form == ["garmin", "1 file", "1 day from 2026-06-01 to 2026-06-01"])
  }

  @Test func devicesAreNotAddedUpAndOverlappingFilesCountOnce() throws {
    try write(monitoring(), to: "a.fit")
    var again = monitoring()
    again.define(7, as: 12, [.uint8(0)])
    try write(again, to: "b.fit")
    try write(monitoring(serial: 5, walking: 300), to: "c.fit")
    #expect(try days() == [Self.monitored])
  }

  @Test func readsSleepByTheDayOfWaking() throws {
    try write(sleep(), to: "sleep.fit")
    #expect(try days("sleep.fit", zone: "Europe/Berlin") == [Self.slept])
    let error = try #require(throws: ImportError.self) { try days("sleep.fit") }
    #expect(error.code == .usage)
    #expect(error.message.contains("sleep.fit: its times are in UTC"))
  }

  @Test func readsVariabilityOfTheNight() throws {
    var builder = FITBuilder()
    builder.addFileID()
    builder.define(1, as: 371, [.time, .uint16(0)])
    builder.add(1, bytes("2026-06-01T21:30:00Z"), FITBuilder.bytes(UInt16(40 * 128)))
    builder.add(1, bytes("2026-06-02T02:30:00Z"), FITBuilder.bytes(UInt16(50 * 128)))
    builder.add(1, bytes("2026-06-02T03:30:00Z"), FITBuilder.bytes(UInt16.max))
    try write(builder, to: "hrv.fit")
    #expect(try days("hrv.fit", zone: "Europe/Berlin") == ["2026-06-02 hrv_ms=45.0"])
    builder.define(2, as: 370, [.time, .uint16(0), .uint16(1)])
    builder.add(
      2, bytes("2026-06-02T05:00:00Z"), FITBuilder.bytes(UInt16(60 * 128)),
      FITBuilder.bytes(UInt16(44 * 128 + 64)))
    try write(builder, to: "hrv.fit")
    #expect(try days("hrv.fit", zone: "Europe/Berlin") == ["2026-06-02 hrv_ms=44.5"])
  }

  @Test func JSONOfTheSameDayCounts() throws {
    try write(monitoring(), to: "m.fit")
    try write(sleep(), to: "s.fit")
    try folder.write(
      #"[{"calendarDate": "2026-06-01", "totalSteps": 9150}]"#, to: "UDSFile_2026-06-01.json")
    try folder.write(
      #"[{"calendarDate": "2026-06-02", "deepSleepSeconds": 3600, "lightSleepSeconds": 14400}]"#,
      to: "2026_sleepData.json")
    #expect(
      try days(zone: "Europe/Berlin") == [
        Self.monitored.replacing("9200.0", with: "9150.0"),
        "2026-06-02 deep_sleep_minutes=60.0 light_sleep_minutes=240.0 sleep_minutes=300.0",
      ])
  }

  @Test func readsArchivesAndCompressedFiles() throws {
    try TestArchive.write(
      [("wellness/1_WELLNESS.fit", Data(monitoring().file()))], to: folder.file("day.zip"))
    #expect(try days("day.zip") == [Self.monitored])
    try folder.write(try TestArchive.gzipped(Data(monitoring().file())), to: "M1.fit.gz")
    #expect(try days("M1.fit.gz") == [Self.monitored])
  }

  /// As in the archive of an account at Garmin: files of devices stand in archives within it.
  @Test(arguments: [true, false])
  func readsArchivesInTheArchiveOfAnAccount(isCompressed: Bool) throws {
    let inner = folder.file("inner.zip")
    func archive(_ files: [(name: String, contents: Data)]) throws -> Data {
      try? FileManager.default.removeItem(atPath: inner)
      return try Data(contentsOf: URL(filePath: TestArchive.write(files, to: inner)))
    }
    let place = "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part"
    let deepest = try archive([("deep.fit", Data(monitoring(serial: 99, walking: 20_000).file()))])
    let parts = [
      ("\(place)1.zip", try archive([("anna_1.fit", Data(monitoring().file()))])),
      (
        "\(place)2.zip",
        try archive([("anna_2.fit", Data(sleep().file())), ("more.zip", deepest)])
      ),
      ("\(place)3.zip", try archive([])),
    ]
    try FileManager.default.removeItem(atPath: inner)
    try TestArchive.write(parts, to: folder.file("account.zip"), isCompressed: isCompressed)
    #expect(try days("account.zip", zone: "Europe/Berlin") == [Self.monitored, Self.slept])
    #expect(try folder.fileNames == ["account.zip"])
  }

  @Test func anArchiveInAnArchiveThatGrowsBeyondWhatDataCanIsRefusedByName() throws {
    let inner = folder.file("inner.zip")
    try TestArchive.write([("a.fit", Data(count: 200 << 20))], to: inner)
    let bomb = try Data(contentsOf: URL(filePath: inner))
    try FileManager.default.removeItem(atPath: inner)
    try TestArchive.write([("x/UploadedFiles_0.zip", bomb)], to: folder.file("account.zip"))
    let error = #expect(throws: ImportError.self) {
      for file in try InputFiles("account.zip", in: folder.path).files {
        _ = try file.contents()
      }
    }
    #expect(error?.code == .badData)
    #expect(
      error?.message.hasPrefix(
        "account.zip: x/UploadedFiles_0.zip: a.fit holds more than 500 bytes for each compressed byte"
      ) == true, "\(error?.message ?? "")")

    // The inner archive itself is such a file.
    try TestArchive.write(
      [("a.fit", Data(count: 100 << 20))], to: inner, isCompressed: false)
    let long = try Data(contentsOf: URL(filePath: inner))
    try FileManager.default.removeItem(atPath: inner)
    try TestArchive.write([("UploadedFiles_1.zip", long)], to: folder.file("second.zip"))
    let second = #expect(throws: ImportError.self) {
      try InputFiles("second.zip", in: folder.path)
    }
    #expect(
      second?.message.hasPrefix("second.zip: UploadedFiles_1.zip holds more than 500 bytes")
        == true,
      "\(second?.message ?? "")")
  }

  @Test func nothingOfADamagedFileCounts() throws {
    try write(monitoring(), to: "a.fit")
    let bytes = monitoring(walking: 50_000).file()
    try folder.write(Data(bytes.dropLast(40)), to: "b.fit")
    try folder.write(Data(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]), to: "c.fit")
    #expect(try days() == [Self.monitored])
    let contents = try #require(try open().contents)
    #expect(contents.problemCount == 2)
    #expect(
      contents.firstProblems == [
        "b.fit:1: the file is shorter than its header says; nothing of it counts",
        "c.fit:1: the file has a wrong checksum; nothing of it counts",
      ])
  }

  @Test func leavesOutWhatIsOfNoMetricAndNoMakerThatItKnows() throws {
    try write(monitoring(), to: "a.fit")
    try write(monitoring(serial: 9, walking: 40_000, manufacturer: 32), to: "other.fit")
    // An activity that is cut off is no fault of the days.
    var activity = FITBuilder()
    activity.addFileID()
    activity.define(1, as: 20, [.time, .uint8(3)])
    activity.add(1, bytes("2026-06-01T12:00:00Z"), [140])
    try folder.write(Data(activity.file().dropLast(3)), to: "activity.fit")
    // Pictures of the sky have the same ending.
    try folder.write("SIMPLE  =                    T / FITS", to: "sky.fit")
    let found = try open()
    #expect(try days() == [Self.monitored])
    #expect(found.contents?.problemCount == 0)
    #expect(found.interpretation?.ignored == ["sky.fit"])
  }

  @Test func timesOfADeviceWhoseClockWasNotSetAreUnusable() throws {
    var builder = monitoring()
    builder.define(6, as: 211, [.time, .uint8(1)])
    builder.add(6, FITBuilder.bytes(UInt32(5_000)), [50])
    builder.add(6, bytes("2027-06-01T12:00:00Z"), [50])
    builder.define(6, as: 55, [.uint16(26), .uint16(33)])
    try write(builder, to: "a.fit")
    let contents = try #require(try open("a.fit").contents)
    #expect(contents.days.count == 1)
    #expect(
      contents.firstProblems == [
        "a.fit:13: timestamp: of a device whose clock was not set",
        "a.fit:14: timestamp: date in the future",
      ])
  }
}
