import CMinizip
import Foundation

/// A ZIP archive: a file, or one that stands in another archive.
enum ZipArchive {
  case file(String)
  case nested(NestedArchive)

  /// The place of the archive, which no other has.
  var identity: String {
    switch self {
    case .file(let path): path
    case .nested(let archive): archive.identity
    }
  }

  /// In bytes; 0 where the system does not say.
  var byteCount: Int64 {
    switch self {
    case .file(let path):
      (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.int64Value ?? 0
    case .nested(let archive): archive.entry.byteCount
    }
  }

  /// The compressed bytes that an entry can have been made of.
  var mostCompressed: Int64 {
    switch self {
    case .file: .max
    case .nested(let archive): archive.entry.compressedByteCount
    }
  }

  /// - Returns: Nil where it is no archive, or cannot be opened.
  /// - Throws: `ImportError` where the archive around it is damaged.
  func opened() throws -> unzFile? {
    switch self {
    case .file(let path): unzOpen64(path)
    case .nested(let archive): try archive.opened()
    }
  }
}

/// A ZIP archive that stands in another one.
///
/// Its directory stands at its end, so it is copied as it is, still compressed, into a file without a name while it is
/// read: the latest archive of one import, and others whose entries are open.
final class NestedArchive {
  /// Larger ones are refused; makers cut their archives into parts.
  static let mostBytes: Int64 = 4 << 30

  /// The archive within the one around it.
  let entry: ZipEntry
  private let latest: Latest

  /// The archive of one import that was needed last.
  final class Latest {
    fileprivate var archive: (identity: String, copy: ArchiveCopy)?
  }

  init(_ entry: ZipEntry, latest: Latest) {
    self.entry = entry
    self.latest = latest
  }

  var identity: String { "\(entry.archive.identity)\u{0}\(entry.name)" }

  fileprivate func opened() throws -> unzFile? {
    let copy: ArchiveCopy
    if let archive = latest.archive, archive.identity == identity {
      copy = archive.copy
    } else {
      latest.archive = nil
      copy = try copied()
      latest.archive = (identity, copy)
    }
    var functions = ArchiveCopy.functions
    functions.opaque = Unmanaged.passUnretained(copy).toOpaque()
    return unzOpen2_64(nil, &functions)
  }

  private func copied() throws -> ArchiveCopy {
    guard entry.byteCount <= Self.mostBytes else {
      throw ImportError(
        .badData,
        "\(entry.archiveName): \(entry.name) is an archive of more than \(Self.mostBytes >> 30) GiB; nothing was"
          + " imported; unpack \(fileName(entry.archiveName)), and give the folder")
    }
    let source = try ZipEntryBytes(entry, didRead: { _ in })
    let copy = ArchiveCopy(try FileBytes.unnamedFile(for: entry.name))
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { return copy }
      try chunk[..<count].withUnsafeBytes {
        try FileBytes.append($0, to: copy.descriptor, of: entry.name)
      }
      copy.byteCount += count
    }
  }
}

/// The copy of an archive, which minizip reads at any place.
private final class ArchiveCopy {
  let descriptor: Int32
  var byteCount = 0

  /// - Parameter descriptor: The file, which is closed with this value.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A place in the copy, which an open archive has; it keeps the copy.
  private final class Cursor {
    let copy: ArchiveCopy
    var place = 0
    var hasFailed = false
    init(_ copy: ArchiveCopy) { self.copy = copy }

    static func at(_ stream: UnsafeMutableRawPointer?) -> Cursor? {
      stream.map { Unmanaged<Cursor>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Returns: The bytes that were read, fewer at the end or where the file cannot be read.
    func read(into buffer: UnsafeMutableRawPointer, _ size: Int) -> Int {
      var done = 0
      while done < size {
        let count = pread(copy.descriptor, buffer + done, size - done, off_t(place))
        if count < 0, errno == EINTR { continue }
        hasFailed = hasFailed || count < 0
        guard count > 0 else { break }
        done += count
        place += count
      }
      return done
    }
  }

  static var functions: zlib_filefunc64_def {
    var functions = zlib_filefunc64_def()
    functions.zopen64_file = { opaque, _, _ in
      guard let opaque else { return nil }
      let copy = Unmanaged<ArchiveCopy>.fromOpaque(opaque).takeUnretainedValue()
      return Unmanaged.passRetained(Cursor(copy)).toOpaque()
    }
    functions.zread_file = { _, stream, buffer, size in
      guard let cursor = Cursor.at(stream), let buffer else { return 0 }
      return UInt(cursor.read(into: buffer, Int(size)))
    }
    functions.ztell64_file = { _, stream in
      Cursor.at(stream).map { ZPOS64_T($0.place) } ?? 0
    }
    functions.zseek64_file = { _, stream, offset, origin in
      guard let cursor = Cursor.at(stream) else { return -1 }
      let start =
        switch origin {
        case ZLIB_FILEFUNC_SEEK_CUR: cursor.place
        case ZLIB_FILEFUNC_SEEK_END: cursor.copy.byteCount
        default: 0
        }
      // Backwards distances come as large numbers.
      let place = start &+ Int(truncatingIfNeeded: offset)
      guard (0...cursor.copy.byteCount).contains(place) else { return -1 }
      cursor.place = place
      return 0
    }
    functions.zclose_file = { _, stream in
      if let stream { Unmanaged<Cursor>.fromOpaque(stream).release() }
      return 0
    }
    functions.zerror_file = { _, stream in Cursor.at(stream)?.hasFailed == true ? 1 : 0 }
    return functions
  }
}
