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

/// A ZIP archive that stands in another one, read without unpacking it to a disk.
///
/// Its directory stands at its end, so its bytes are kept in memory while it is read: those of the latest archive of
/// one import, and of others whose entries are open.
final class NestedArchive {
  /// Larger ones are refused; makers cut their archives into parts.
  static let mostBytes = 512 << 20

  /// The archive within the one around it.
  let entry: ZipEntry
  private let latest: Latest

  /// The archive of one import whose bytes were needed last.
  final class Latest {
    fileprivate var bytes: (identity: String, held: HeldBytes)?
  }

  init(_ entry: ZipEntry, latest: Latest) {
    self.entry = entry
    self.latest = latest
  }

  var identity: String { "\(entry.archive.identity)\u{0}\(entry.name)" }

  fileprivate func opened() throws -> unzFile? {
    let held: HeldBytes
    if let bytes = latest.bytes, bytes.identity == identity {
      held = bytes.held
    } else {
      latest.bytes = nil
      held = HeldBytes(try contents())
      latest.bytes = (identity, held)
    }
    var functions = HeldBytes.functions
    functions.opaque = Unmanaged.passUnretained(held).toOpaque()
    return unzOpen2_64(nil, &functions)
  }

  private func contents() throws -> [UInt8] {
    guard entry.byteCount <= Self.mostBytes else {
      throw ImportError(
        .badData,
        "\(entry.archiveName): \(entry.name) is an archive of more than \(Self.mostBytes >> 20) MiB; nothing was"
          + " imported; unpack \(fileName(entry.archiveName)), and give the folder")
    }
    let source = try ZipEntryBytes(entry, didRead: { _ in })
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}

/// Bytes in memory that minizip reads as a file.
private final class HeldBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A place in the bytes, which an open archive has; it keeps them.
  private final class Cursor {
    let held: HeldBytes
    var place = 0
    init(_ held: HeldBytes) { self.held = held }

    static func at(_ stream: UnsafeMutableRawPointer?) -> Cursor? {
      stream.map { Unmanaged<Cursor>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  static var functions: zlib_filefunc64_def {
    var functions = zlib_filefunc64_def()
    functions.zopen64_file = { opaque, _, _ in
      guard let opaque else { return nil }
      let held = Unmanaged<HeldBytes>.fromOpaque(opaque).takeUnretainedValue()
      return Unmanaged.passRetained(Cursor(held)).toOpaque()
    }
    functions.zread_file = { _, stream, buffer, size in
      guard let cursor = Cursor.at(stream), let buffer else { return 0 }
      let count = min(Int(size), cursor.held.bytes.count - cursor.place)
      cursor.held.bytes.withUnsafeBytes { bytes in
        if let base = bytes.baseAddress {
          buffer.copyMemory(from: base + cursor.place, byteCount: count)
        }
      }
      cursor.place += count
      return UInt(count)
    }
    functions.ztell64_file = { _, stream in
      Cursor.at(stream).map { ZPOS64_T($0.place) } ?? 0
    }
    functions.zseek64_file = { _, stream, offset, origin in
      guard let cursor = Cursor.at(stream) else { return -1 }
      let start =
        switch origin {
        case ZLIB_FILEFUNC_SEEK_CUR: cursor.place
        case ZLIB_FILEFUNC_SEEK_END: cursor.held.bytes.count
        default: 0
        }
      // Backwards distances come as large numbers.
      let place = start &+ Int(truncatingIfNeeded: offset)
      guard (0...cursor.held.bytes.count).contains(place) else { return -1 }
      cursor.place = place
      return 0
    }
    functions.zclose_file = { _, stream in
      if let stream { Unmanaged<Cursor>.fromOpaque(stream).release() }
      return 0
    }
    functions.zerror_file = { _, _ in 0 }
    return functions
  }
}
