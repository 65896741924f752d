import CMinizip
import Foundation
import VigilModel

/// A file in a ZIP archive.
struct ZipEntry {
  let archive: ZipArchive
  /// The archive's name in messages.
  let archiveName: String
  /// The path within the archive.
  let name: String
  /// In bytes, as the archive says.
  let byteCount: Int64
  /// In bytes; at most as many as the archive has where it stands in another one.
  let compressedByteCount: Int64
  let isEncrypted: Bool
  fileprivate let position: unz64_file_pos

  /// The archive, with the entry as its current file.
  fileprivate func opened() throws -> unzFile {
    guard let file = try archive.opened() else {
      throw ImportError(.badData, "cannot open \(archiveName); check its permissions")
    }
    var position = position
    guard unzGoToFilePos64(file, &position) == UNZ_OK else {
      unzClose(file)
      throw damage
    }
    return file
  }

  fileprivate var damage: ImportError {
    ImportError(
      .badData,
      "\(archiveName): \(name) is damaged: it cannot be decompressed; nothing was imported; copy the archive again"
    )
  }
}

/// The directory of a ZIP archive, which stands at its end.
enum ZipDirectory {
  /// No export has more files.
  static let mostEntries = 500_000

  /// Whether the first bytes of a file are those of a ZIP archive.
  static func isZip(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    return isStart(Array((try? handle.read(upToCount: 4)) ?? Data()))
  }

  /// Whether four bytes begin an archive, which may be empty.
  static func isStart(_ bytes: [UInt8]) -> Bool {
    bytes == [0x50, 0x4B, 0x03, 0x04] || bytes == [0x50, 0x4B, 0x05, 0x06]
  }

  /// The files of an archive, without folders and what macOS adds.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - name: Its name in messages.
  /// - Throws: `ImportError` where the archive is damaged, or its files take more room than it has.
  static func entries(of archive: ZipArchive, named name: String) throws -> [ZipEntry] {
    let damage = ImportError(
      .badData,
      "\(name) is no complete ZIP archive; nothing was imported; copy it again")
    guard let file = try archive.opened() else { throw damage }
    defer { unzClose(file) }
    var entries: [ZipEntry] = []
    var status = unzGoToFirstFile(file)
    var names = [CChar](repeating: 0, count: 4_096)
    while status == UNZ_OK {
      var info = unz_file_info64()
      guard
        unzGetCurrentFileInfo64(
          file, &info, &names, UInt(names.count - 1), nil, 0, nil, 0) == UNZ_OK
      else { throw damage }
      var position = unz64_file_pos()
      guard unzGetFilePos64(file, &position) == UNZ_OK else { throw damage }
      let bytes = names.prefix(min(Int(info.size_filename), names.count - 1)).map {
        UInt8(bitPattern: $0)
      }
      let entry = ZipEntry(
        archive: archive, archiveName: name, name: String(decoding: bytes, as: UTF8.self),
        byteCount: Int64(clamping: info.uncompressed_size),
        compressedByteCount: min(Int64(clamping: info.compressed_size), archive.mostCompressed),
        isEncrypted: info.flag & 1 == 1,
        position: position)
      let parts = entry.name.split(separator: "/").map(String.init)
      if !entry.name.hasSuffix("/"), !parts.contains(where: InputFiles.isOfMacOS) {
        entries.append(entry)
      }
      guard entries.count <= mostEntries else {
        throw ImportError(
          .badData,
          "\(name) holds more than \(mostEntries) files, which no export does; nothing was imported"
        )
      }
      status = unzGoToNextFile(file)
    }
    guard status == UNZ_END_OF_LIST_OF_FILE else { throw damage }
    // Files that share their bytes make a small archive a huge one.
    let compressed = entries.reduce(Int64(0)) {
      $0.addingReportingOverflow($1.compressedByteCount).partialValue
    }
    guard compressed >= 0, compressed <= archive.byteCount else {
      throw ImportError(
        .badData, "\(name): its files take more room than the archive has; nothing was imported")
    }
    return entries
  }
}

/// The contents of a file in a ZIP archive, decompressed while they are read.
final class ZipEntryBytes: ByteSource {
  let path: String
  private let entry: ZipEntry
  private let didRead: (_ bytes: Int) -> Void
  private var file: unzFile
  private var bytesRead: Int64 = 0
  private var isAtEnd = false

  /// - Throws: `ImportError` where the entry is encrypted, damaged or compressed in another way.
  init(_ entry: ZipEntry, didRead: @escaping (_ bytes: Int) -> Void) throws {
    guard !entry.isEncrypted else {
      throw ImportError(
        .badData,
        "\(entry.archiveName): \(entry.name) is encrypted; nothing was imported; unpack the archive with its password, and"
          + " give the folder")
    }
    path = entry.name
    self.entry = entry
    self.didRead = didRead
    file = try Self.begin(entry)
  }

  deinit {
    unzCloseCurrentFile(file)
    unzClose(file)
  }

  private static func begin(_ entry: ZipEntry) throws -> unzFile {
    let file = try entry.opened()
    guard unzOpenCurrentFile(file) == UNZ_OK else {
      unzClose(file)
      throw ImportError(
        .badData,
        "\(entry.archiveName): \(entry.name) is damaged, or compressed in a way that is not read; nothing was imported;"
          + " unpack the archive, and give the folder")
    }
    return file
  }

  func rewind() throws {
    unzCloseCurrentFile(file)
    guard unzOpenCurrentFile(file) == UNZ_OK else { throw entry.damage }
    (bytesRead, isAtEnd) = (0, false)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isAtEnd, !buffer.isEmpty else { return 0 }
    let count = unzReadCurrentFile(file, buffer.baseAddress, UInt32(clamping: buffer.count))
    guard count >= 0 else { throw entry.damage }
    if count == 0 {
      isAtEnd = true
      guard unzCloseCurrentFile(file) != UNZ_CRCERROR, bytesRead == entry.byteCount else {
        throw entry.damage
      }
      return 0
    }
    bytesRead += Int64(count)
    guard
      bytesRead <= Int64(BoundedContents.freeBytes)
        || bytesRead / Int64(BoundedContents.largestRatio) <= entry.compressedByteCount
    else {
      throw ImportError(
        .badData,
        "\(entry.archiveName): \(entry.name) holds more than \(BoundedContents.largestRatio) bytes for each compressed"
          + " byte, from its first \(bytesRead >> 20) MiB on; nothing was imported; unpack it first, if it is meant"
      )
    }
    didRead(Int(count))
    return Int(count)
  }
}
