import Foundation
import VigilModel

/// One file of an import: in a folder, or in a ZIP archive.
struct InputFile {
  enum Location {
    case path(String)
    case entry(ZipEntry)
  }

  /// Its path within the folder or archive.
  let path: String
  /// In bytes; as the archive says, where it is in one.
  let byteCount: Int64
  let location: Location
  /// The path of the archive within another one that holds it; nil for others.
  private(set) var nestedIn: String?

  init(path: String, byteCount: Int64, location: Location) {
    self.path = path
    self.byteCount = byteCount
    self.location = location
  }

  /// - Parameters:
  ///   - entry: The file of an archive.
  ///   - outer: The path of that archive, where it stands in another one.
  init(_ entry: ZipEntry, in outer: String? = nil) {
    self.init(
      path: outer.map { "\($0)/\(entry.name)" } ?? entry.name, byteCount: entry.byteCount,
      location: .entry(entry))
    nestedIn = outer
  }

  /// Its place in the order of files; those of one archive in another follow each other, so that it is read once.
  fileprivate var place: (Int, String, Int, String) {
    let first = nestedIn ?? path
    return (first.utf8.count, first, path.utf8.count, path)
  }

  var isInArchive: Bool { if case .entry = location { true } else { false } }

  /// The path without the ending of compressed files, as the contents are called.
  var nameOfContents: String {
    let name = path.lowercased()
    let ending = [".gz", ".gzip", ".zst"].first(where: name.hasSuffix)
    return String(path.dropLast(ending?.count ?? 0))
  }

  /// Opens the file, decompressed where its first bytes are those of gzip or zstd.
  ///
  /// - Parameter didRead: Called with the number of bytes after each chunk.
  /// - Throws: `ImportError` where it cannot be opened.
  func open(didRead: @escaping (_ bytes: Int) -> Void = { _ in }) throws -> any ByteSource {
    // Bytes that are looked at, and then read, count once.
    var isRead = false
    let source = try stored { if isRead { didRead($0) } }
    let contents = try source.decompressed()
    isRead = true
    return contents
  }

  /// Whether the file, or the file in the archive, is compressed by itself.
  ///
  /// - Throws: `ImportError` where it cannot be opened.
  func isCompressed() throws -> Bool {
    let source = try stored { _ in }
    return try source.decompressed() !== source
  }

  private func stored(_ didRead: @escaping (_ bytes: Int) -> Void) throws -> any ByteSource {
    switch location {
    case .path(let path): try FileBytes(path: path, didRead: didRead)
    case .entry(let entry): try ZipEntryBytes(entry, didRead: didRead)
    }
  }

  /// Whether the file, as it is stored, begins like a ZIP archive.
  ///
  /// - Throws: `ImportError` where it cannot be opened.
  fileprivate func isArchive() throws -> Bool {
    let source = try stored { _ in }
    var start = [UInt8](repeating: 0, count: 4)
    let count = try start.withUnsafeMutableBytes { try source.read(into: $0) }
    // An empty archive holds nothing to read.
    return count == 4 && start == [0x50, 0x4B, 0x03, 0x04]
  }

  /// The whole contents.
  ///
  /// - Throws: `ImportError` where the file cannot be read, or has more than `limit` bytes.
  func contents(
    limit: Int = 256 << 20, didRead: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws -> Data {
    let source = try open(didRead: didRead)
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { return data }
      data.append(contentsOf: chunk[..<count])
      guard data.count <= limit else {
        throw ImportError(
          .badData,
          "\(path) has more than \(limit >> 20) MiB, which no such file has; nothing was imported")
      }
    }
  }

  /// The SHA-256 of the contents.
  ///
  /// - Throws: `ImportError` where the file cannot be read.
  func digest() throws -> [UInt8] {
    let source = try open()
    var hash = SHA256()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { return hash.finalize() }
      chunk.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// The first bytes, or all where there are fewer.
  func beginning(_ most: Int) throws -> [UInt8] {
    let source = try open()
    var bytes = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < most {
      let more = try bytes.withUnsafeMutableBytes {
        try source.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
      }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }
}

/// The files that one import may read: those of a folder with the ZIP archives in it, of one archive, or one file.
struct InputFiles {
  /// The name that the user gave.
  let name: String
  let isFolder: Bool
  /// In the order of the lengths of their names, so that a copy with a longer name comes behind.
  let files: [InputFile]

  /// Lists the files; reads none but the directories of archives.
  ///
  /// - Parameters:
  ///   - name: A folder, a ZIP archive or another file, as the user named it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  /// - Throws: `ImportError` with code `.usage` where there is nothing, with `.badData` for an archive that is damaged.
  init(_ name: String, in folder: String?) throws {
    self.name = name
    // A link that the user gives is followed; those within a folder are not.
    let place = URL(filePath: name.path(startingIn: folder)).resolvingSymlinksInPath().path
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) else {
      throw ImportError(.usage, "there is no file or folder \(name)")
    }
    isFolder = isDirectory.boolValue
    var found: [InputFile] = []
    if isFolder {
      try Self.list(place, as: "", named: name, into: &found)
    } else {
      found = try Self.expanded(fileName(name), at: place, size: Self.size(of: place))
    }
    files = found.sorted { $0.place < $1.place }
  }

  /// Their number and the names of the first, as `; it holds 12 files: a.json, b.json, ...`; empty for one file.
  var summary: String {
    guard isFolder || files.count != 1 || files[0].isInArchive else { return "" }
    guard !files.isEmpty else { return "; it holds no file" }
    let names = files.prefix(3).map(\.path) + (files.count > 3 ? ["..."] : [])
    return
      "; it holds \(FileInterpretation.count(files.count, "file")): \(names.joined(separator: ", "))"
  }

  /// Adds the files of a folder and of those in it.
  private static func list(
    _ place: String, as prefix: String, named name: String, into found: inout [InputFile]
  ) throws {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
      let path = prefix.isEmpty ? name : VigilImport.path(of: prefix, in: name)
      throw ImportError(
        .badData, "cannot list \(path); nothing was imported; check its permissions")
    }
    for own in names where !isOfMacOS(own) {
      let (path, inner) = (VigilImport.path(of: own, in: place), prefix + own)
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      switch attributes?[.type] as? FileAttributeType {
      case .typeDirectory: try list(path, as: inner + "/", named: name, into: &found)
      case .typeRegular: found += try expanded(inner, at: path, size: size(of: path))
      default: break
      }
    }
  }

  /// Whether a file or folder is one that macOS adds to an archive.
  static func isOfMacOS(_ name: String) -> Bool { name == "__MACOSX" || name.hasPrefix("._") }

  private static func size(of path: String) -> Int64 {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return size?.int64Value ?? 0
  }

  /// The files of an archive and of the archives in it, or the file itself.
  private static func expanded(
    _ path: String, at place: String, size: Int64
  ) throws -> [InputFile] {
    guard ZipDirectory.isZip(place) else {
      return [InputFile(path: path, byteCount: size, location: .path(place))]
    }
    let latest = NestedArchive.Latest()
    return try ZipDirectory.entries(of: .file(place), named: path).flatMap { entry in
      let file = InputFile(entry)
      guard entry.name.lowercased().hasSuffix(".zip"), try file.isArchive() else { return [file] }
      let inner = ZipArchive.nested(NestedArchive(entry, latest: latest))
      return try ZipDirectory.entries(of: inner, named: "\(path): \(entry.name)").map {
        InputFile($0, in: entry.name)
      }
    }
  }

  /// The files without those that have the contents of an earlier one, and the paths of these.
  ///
  /// - Throws: `ImportError` where a file cannot be read.
  static func distinct(_ files: [InputFile]) throws -> (files: [InputFile], repeated: [String]) {
    // Only files of one size can be the same.
    let sizes = Dictionary(grouping: files, by: \.byteCount)
    var digests: Set<[UInt8]> = []
    var repeated: [String] = []
    let kept = try files.filter { file in
      guard (sizes[file.byteCount]?.count ?? 0) > 1 else { return true }
      if digests.insert(try file.digest()).inserted { return true }
      repeated.append(file.path)
      return false
    }
    return (kept, repeated)
  }
}
