public import VigilModel

extension ZoneFolder {
  /// The version that the folder itself states: `+VERSION`, then the first line of `tzdata.zi`,
  /// then `version`.
  ///
  /// Where none of them states it, the version is a digest of the names and contents of all zone
  /// files, so that two releases differ: each file that begins with `TZif`, in order of the names'
  /// bytes; without `localtime`, `posixrules`, `posix/` and `right/`.
  ///
  /// - Complexity: Reads one short file, or all zone files where no file says it.
  public var version: ZoneVersion? {
    saidVersion ?? ZoneVersion(unknown: digest())
  }

  private var saidVersion: ZoneVersion? {
    if let version = firstLine(of: "+VERSION").flatMap({ ZoneVersion($0) }) { return version }
    if let version = firstLine(of: "tzdata.zi").flatMap({ ZoneVersion(firstLineOfData: $0) }) {
      return version
    }
    return firstLine(of: "version").flatMap { ZoneVersion($0) }
  }

  private func firstLine(of name: String) -> String? {
    guard let bytes = try? RegularFile.contents(of: "\(place)/\(name)", atMost: Self.mostBytes)
    else {
      return nil
    }
    return bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first.map {
      String(decoding: $0.prefix(200), as: UTF8.self)
    }
  }

  private func digest() -> StableHash {
    var hash = StableHash()
    for name in zoneNames() {
      guard let bytes = (try? file(of: name)).flatMap({ $0 }) else { continue }
      hash.combine(name)
      for byte in bytes { hash.combine(UInt64(byte)) }
      hash.combine(256)
    }
    return hash
  }

  /// Returns the names of all zones in the folder, in order of their bytes.
  public func zoneNames() -> [String] {
    let own: Set = ["localtime", "posixrules"]
    var names: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let path = folder.isEmpty ? place : "\(place)/\(folder)"
      for entry in RegularFile.names(in: path) ?? [] {
        let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
        if RegularFile.names(in: "\(place)/\(name)") != nil {
          // Real names have at most three parts; a link to a folder above must not lead round and round.
          let isDeep = name.utf8.count { $0 == UInt8(ascii: "/") } >= 3
          if name != "posix", name != "right", !isDeep { folders.append(name) }
        } else if !own.contains(name), (try? file(of: name)).flatMap({ $0 }) != nil {
          names.append(name)
        }
      }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
