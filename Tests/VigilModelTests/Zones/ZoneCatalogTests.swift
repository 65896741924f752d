import Foundation
import Synchronization
import Testing

@testable import VigilModel

@Suite struct ZoneCatalogTests {
  /// Files in memory, which notes what it is asked for.
  private final class Files: ZoneSource {
    let place = "memory"
    let version = ZoneVersion("2026a")
    let files: [String: [UInt8]]
    let fault: ZoneFault?
    let asked = Mutex<[String]>([])

    init(_ files: [String: [UInt8]], fault: ZoneFault? = nil) {
      self.files = files
      self.fault = fault
    }

    func file(of name: String) throws(ZoneFault) -> [UInt8]? {
      asked.withLock { $0.append(name) }
      if let fault { throw fault }
      return files[name]
    }
  }

  private func file(_ rule: String) -> [UInt8] { TZifBytes(footer: rule).bytes }

  private func offset(_ rules: ZoneRules?) -> Int64? { rules.map { $0.local(0) / 1_000_000 } }

  @Test func formerNamesStandForPresentOnesWhereTheSystemHasNoFilesOfThem() throws {
    let zones = ZoneCatalog(
      source: Files([
        "Asia/Kolkata": file("IST-5:30"), "America/New_York": file("EST5"),
        "Etc/GMT": file("GMT0"), "US/Eastern": file("XXX7"), "Europe/Brussels": file("CET-1"),
      ]))
    #expect(offset(zones.rules(of: "Asia/Calcutta")) == 19_800)
    #expect(offset(zones.rules(of: "EST5EDT")) == -18_000)
    #expect(offset(zones.rules(of: "Greenwich")) == 0)
    #expect(offset(zones.rules(of: "Etc/Greenwich")) == 0)
    #expect(offset(zones.rules(of: "MET")) == 3600)
    // The system's own file comes first.
    #expect(offset(zones.rules(of: "US/Eastern")) == -25_200)
    #expect(zones.rules(of: "US/Central") == nil)
    #expect(Set(["Asia/Calcutta", "Asia/Kolkata"].compactMap(zones.id(of:))).count == 2)
    try zones.requireNoFault()
    #expect(zones.version?.description == "2026a")
  }

  /// Texts that Foundation took for a fixed offset too, with one difference: `UTC` is called `UTC`.
  @Test(
    arguments: [
      ("UTC", 0), ("GMT", 0), ("Etc/UTC", 0), ("GMT+3", 180), ("GMT-3", -180), ("GMT+03", 180),
      ("GMT+0300", 180), ("GMT+03:00", 180), ("GMT+3:30", 210), ("GMT+18", 1080), ("UTC+3", 180),
      ("UTC-03:30", -210), ("GMT+0", 0),
    ])
  func fixedOffsetsNeedNoFiles(name: String, minutes: Int64) throws {
    let zones = ZoneCatalog(source: Files([:], fault: .noFiles(places: ["nowhere"])))
    #expect(offset(zones.rules(of: name)) == minutes * 60)
    #expect(zones.id(of: name).map(zones.name(of:)) == name)
    try zones.requireNoFault()
  }

  @Test(
    arguments: [
      "", "GMT+18:01", "GMT+1:99", "GMT+1:5", "GMT+12:34:56", "UTC 3", "+03:00", "GMT+３",
      "../Europe/Berlin", "Europe/../Europe/Berlin", "/etc/passwd", "/Europe/Berlin",
      "Europe//Berlin", "Europe/Berlin/", "Europe/", ".", "..", "Europe/.Berlin", "Europe/Ber.lin",
      " Europe/Berlin", "Europe/Berlin ", "Europe\\Berlin", "Europe/Berlin\0", "Europe/Bérlin",
      ":Europe/Berlin", "+VERSION", "tzdata.zi", "1Europe", "-Europe/Berlin", "Europe/-Berlin",
      "posix/Europe/Berlin", "right/Europe/Berlin", "posix", "right", "localtime", "posixrules",
      "~/x", "%2e%2e/x",
    ])
  func suchNamesNeverBecomeAPath(name: String) throws {
    let files = Files([name: file("AAA1")])
    let zones = ZoneCatalog(source: files)
    #expect(zones.id(of: name) == nil)
    #expect(zones.id(of: name) == nil)
    #expect(files.asked.withLock { $0 } == [])
    try zones.requireNoFault()
  }

  @Test(
    arguments: [
      "utc", "GMT+", "GMT-", "GMT+330", "GMT+19", "GMT+3x", "GMT++3", "GMT+00003", "UTC3", "PST",
    ])
  func whatIsNoFixedOffsetIsLookedForAmongTheFiles(name: String) throws {
    let files = Files(["Europe/Berlin": file("CET-1")])
    let zones = ZoneCatalog(source: files)
    #expect(zones.id(of: name) == nil)
    #expect(files.asked.withLock { $0 } == [name])
    try zones.requireNoFault()
  }

  @Test func longNamesAreNoZones() {
    #expect(ZoneName.isValid(String(repeating: "A", count: 255)))
    #expect(!ZoneName.isValid(String(repeating: "A", count: 256)))
  }

  @Test func aFaultIsNotAnUnknownName() throws {
    let damaged = ZoneCatalog(source: Files(["Europe/Berlin": Array("TZif".utf8)]))
    #expect(damaged.id(of: "Europe/Berlin") == nil)
    #expect(throws: ZoneFault.damaged(zone: "Europe/Berlin", .truncated)) {
      try damaged.requireNoFault()
    }
    let none = ZoneCatalog(source: Files([:], fault: .noFiles(places: ["/a", "/b"])))
    #expect(none.id(of: "Mars/Olympus") == nil)
    #expect(throws: ZoneFault.noFiles(places: ["/a", "/b"])) { try none.requireNoFault() }
    #expect("\(ZoneFault.noFiles(places: ["/a", "/b"]))".hasSuffix("no zone files in /a, /b"))
  }

  @Test func everyFormerNameIsOneAndLeadsToAnother() {
    let former = ["Asia/Calcutta", "US/Eastern", "PST8PDT", "HST", "WET", "US/Pacific-New", "Zulu"]
    for name in former {
      let target = ZoneLinks.target(of: name)
      #expect(
        target.map { ZoneName.isValid($0) && ZoneLinks.target(of: $0) == nil } == true, "\(name)")
    }
    #expect(ZoneLinks.target(of: "Europe/Berlin") == nil)
  }

  // MARK: Versions

  @Test(
    arguments: [
      ("2025b", "2025b"), (" 2026f\n", "2026f"), ("2026f-dirty x", "2026f-dirty"), ("", nil),
      ("tzdata", nil), ("20255a", nil), ("2025\u{7}", nil),
    ])
  func versionsAreRead(text: String, version: String?) {
    #expect(ZoneVersion(text)?.description == version)
    #expect(ZoneVersion(firstLineOfData: "# version \(text)")?.description == version)
    #expect(ZoneVersion(firstLineOfData: "# redo \(text)") == nil)
  }

  @Test func rulesAreOutdatedAfterTwoWholeYears() throws {
    let version = try #require(ZoneVersion("2023c"))
    #expect(!version.isOutdated(on: try #require(Day("2025-12-31"))))
    #expect(version.isOutdated(on: try #require(Day("2026-01-01"))))
    let unknown = ZoneVersion(unknown: StableHash())
    #expect(unknown.description.wholeMatch(of: /unknown-[0-9a-f]{8}/) != nil)
    #expect(!unknown.isOutdated(on: try #require(Day("9999-01-01"))))
  }
}
