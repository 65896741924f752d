import Foundation
import TestSupport
import Testing
import VigilModel
import VigilZones

@Suite struct ZoneFolderTests {
  private let berlin: [UInt8]

  init() throws {
    berlin = try #require(try ZoneCatalog.system.source.file(of: "Europe/Berlin"))
  }

  /// Calls `body` with a folder that holds the given files, and `Etc/UTC`.
  private func with(
    _ files: [String: [UInt8]], _ body: (TemporaryDirectory, ZoneFolder) throws -> Void
  ) throws {
    try TemporaryDirectory.with { directory in
      let utc = try #require(try ZoneCatalog.system.source.file(of: "Etc/UTC"))
      for (name, bytes) in files.merging(["Etc/UTC": utc], uniquingKeysWith: { $1 }) {
        let url = directory.url(name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
      }
      try body(directory, try #require(ZoneFolder(path: directory.path)))
    }
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Files

  @Test func onlyRegularZoneFilesAreFiles() throws {
    try with(["Europe/Berlin": berlin, "leapseconds": text("# leap"), "Empty": []]) {
      directory, folder in
      #expect(mkfifo(directory.path("Pipe"), 0o600) == 0)
      let files = FileManager.default
      try files.createSymbolicLink(
        atPath: directory.path("Link"), withDestinationPath: "Europe/Berlin")
      try files.createSymbolicLink(atPath: directory.path("Dangling"), withDestinationPath: "none")
      #expect(try folder.file(of: "Europe/Berlin") == berlin)
      #expect(try folder.file(of: "Link") == berlin)
      for name in ["leapseconds", "Empty", "Pipe", "Dangling", "Europe", "Nowhere", "Link/None"] {
        #expect(try folder.file(of: name) == nil, "\(name)")
      }
    }
  }

  @Test func aFileThatIsThereAndCannotBeReadIsAFault() throws {
    try with(["Huge": berlin + [UInt8](repeating: 0, count: 1 << 20)]) { directory, folder in
      #expect(throws: ZoneFault.self) { try folder.file(of: "Huge") }
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("Round"), withDestinationPath: "Round")
      let zones = ZoneCatalog(source: folder)
      #expect(zones.rules(of: "Round") == nil)
      #expect(throws: ZoneFault.self) { try zones.requireNoFault() }
    }
  }

  @Test func tzdirIsTheOnlyFolderWhereItIsSet() throws {
    let missing = ZoneFolder.system(tzdir: "/nonexistent")
    #expect(missing.version == nil)
    #expect(missing.place == "/nonexistent")
    #expect(throws: ZoneFault.noFiles(places: ["/nonexistent"])) {
      try missing.file(of: "Europe/Berlin")
    }
    try with([:]) { directory, _ in
      #expect(ZoneFolder.system(tzdir: directory.path).place == directory.path)
    }
    try TemporaryDirectory.with { empty in
      #expect(ZoneFolder.system(tzdir: empty.path) is MissingZoneFiles)
    }
    #expect(ZoneFolder.system(tzdir: "").place == ZoneFolder.system().place)
  }

  @Test func namesAreThoseOfZones() throws {
    let names = [
      "Europe/Berlin", "America/Argentina/Salta", "UTC", "localtime", "posixrules",
      "posix/Europe/Berlin", "right/Europe/Berlin",
    ]
    try with(
      Dictionary(uniqueKeysWithValues: names.map { ($0, berlin) })
        .merging(["tzdata.zi": text("# version 2025b")]) { $1 }
    ) { directory, folder in
      try FileManager.default.createSymbolicLink(
        atPath: directory.path("Again"), withDestinationPath: ".")
      let found = folder.zoneNames().filter { !$0.hasPrefix("Again/") }
      #expect(found == ["America/Argentina/Salta", "Etc/UTC", "Europe/Berlin", "UTC"])
    }
  }

  // MARK: Version

  @Test(
    arguments: [
      (["+VERSION": "2026a\n", "tzdata.zi": "# version 2025b\n"], "2026a"),
      (["tzdata.zi": "# version 2025b\n# redo\n", "version": "2024a\n"], "2025b"),
      (["tzdata.zi": "R A 1\n", "version": "2024a"], "2024a"),
      (["+VERSION": "\n", "version": "2024a"], "2024a"),
    ])
  func theVersionIsWhatTheFolderSays(files: [String: String], version: String) throws {
    try with(files.mapValues(text)) { _, folder in
      #expect(folder.version?.description == version)
    }
  }

  @Test func withoutAVersionReleasesDifferByContents() throws {
    func version(_ files: [String: [UInt8]]) throws -> String {
      var version: String?
      try with(files) { _, folder in version = folder.version?.description }
      return try #require(version)
    }
    let first = try version(["Europe/Berlin": berlin, "Europe/Rome": berlin])
    #expect(first.wholeMatch(of: /unknown-[0-9a-f]{8}/) != nil)
    #expect(try version(["Europe/Rome": berlin, "Europe/Berlin": berlin]) == first)
    #expect(
      try version(["Europe/Rome": berlin, "Europe/Berlin": berlin, "zone.tab": [1]]) == first)
    #expect(try version(["posix/Rome": berlin, "Europe/Rome": berlin]) != first)
    #expect(try version(["Europe/Berlin": berlin, "Europe/Rome": berlin + [0]]) != first)
    #expect(try version(["Europe/Berlin": berlin, "Europe/Oslo": berlin]) != first)
  }

  @Test func thisMachineSaysItsVersion() throws {
    let folder = try #require(ZoneFolder.ofThisMachine)
    #expect(ZoneFolder.usualPaths.contains(folder.place))
    #expect(folder.version != nil)
    #expect(folder.zoneNames().count > 300)
  }
}
