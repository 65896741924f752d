public import VigilModel

/// A folder of compiled zone files, such as `/usr/share/zoneinfo`.
///
/// ```swift
/// let zones = ZoneCatalog(source: ZoneFolder.system())
/// guard let berlin = zones.rules(of: "Europe/Berlin") else { return }
/// print(berlin.local(0) / 3_600_000_000)  // 1
/// ```
public struct ZoneFolder: ZoneSource {
  public let place: String

  /// The folders in which systems keep their zone files; macOS comes last.
  public static let usualPaths = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
    "/var/db/timezone/zoneinfo",
  ]

  /// Nil where the folder holds no zone files.
  public init?(path: String) {
    place = path
    let hasFiles = ["Etc/UTC", "UTC", "Europe/London"].contains { name in
      // An unreadable file is a zone file all the same; reading its zone reports the fault.
      guard let file = try? file(of: name) else { return false }
      return !file.isEmpty
    }
    guard hasFiles else { return nil }
  }

  /// Returns the folder of this system, or a source that says that there is none.
  ///
  /// - Parameter tzdir: The environment variable `TZDIR`: the only folder to look in, as for the C
  ///   library; nil or empty for `usualPaths`.
  public static func system(tzdir: String? = nil) -> any ZoneSource {
    let paths = tzdir.flatMap { $0.isEmpty ? nil : [$0] } ?? usualPaths
    for path in paths {
      if let folder = ZoneFolder(path: path) { return folder }
    }
    return MissingZoneFiles(places: paths)
  }

  public func file(of name: String) throws(ZoneFault) -> [UInt8]? {
    do {
      guard let bytes = try RegularFile.contents(of: "\(place)/\(name)", atMost: Self.mostBytes)
      else {
        return nil
      }
      return bytes.starts(with: Self.magic) ? bytes : nil
    } catch {
      throw .unreadable(zone: name, reason: "\(place)/\(name): \(error.reason)")
    }
  }

  static let magic = Array("TZif".utf8)
  /// Real files have a few thousand.
  static let mostBytes = 1 << 20
}

/// Stands for the zone files of a system that has none.
public struct MissingZoneFiles: ZoneSource {
  /// The folders that were searched.
  public let places: [String]

  public var place: String { places.joined(separator: ", ") }
  public var version: ZoneVersion? { nil }

  public func file(of name: String) throws(ZoneFault) -> [UInt8]? {
    throw .noFiles(places: places)
  }
}
