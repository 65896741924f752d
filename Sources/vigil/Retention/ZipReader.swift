import CMinizip
import VigilModel

/// A ZIP archive whose files are read by their names.
final class ZipReader {
  private let file: unzFile
  private let name: String

  /// A file has at most this many bytes for each compressed one, behind the free ones.
  private static let (largestRatio, freeBytes) = (UInt64(500), UInt64(64 << 20))

  /// - Parameters:
  ///   - path: The path of the archive.
  ///   - name: Its name in messages.
  /// - Throws: `CommandFailure` (65).
  init(_ path: String, named name: String) throws {
    guard let file = unzOpen64(path) else {
      throw CommandFailure(
        .badData, "\(name) is no ZIP archive that can be read; check its name and permissions")
    }
    self.file = file
    self.name = name
  }

  deinit { unzClose(file) }

  /// The contents of a file.
  ///
  /// - Throws: `CommandFailure` (65) where it is missing or damaged.
  func contents(of entry: String) throws -> [UInt8] {
    let damage = CommandFailure(
      .badData,
      "\(name): \(entry.terminalSafe) is missing or damaged; take another copy of the archive")
    var info = unz_file_info64()
    guard unzLocateFile(file, entry, 1) == UNZ_OK,
      unzGetCurrentFileInfo64(file, &info, nil, 0, nil, 0, nil, 0) == UNZ_OK,
      UInt64(info.uncompressed_size) <= Self.freeBytes
        || UInt64(info.uncompressed_size) / Self.largestRatio <= UInt64(info.compressed_size),
      unzOpenCurrentFile(file) == UNZ_OK
    else { throw damage }
    var contents = [UInt8](repeating: 0, count: Int(info.uncompressed_size))
    var place = 0
    while place < contents.count {
      let count = contents.withUnsafeMutableBytes { bytes in
        unzReadCurrentFile(
          file, bytes.baseAddress.map { $0 + place }, UInt32(min(bytes.count - place, 1 << 24)))
      }
      guard count > 0 else {
        unzCloseCurrentFile(file)
        throw damage
      }
      place += Int(count)
    }
    guard unzCloseCurrentFile(file) == UNZ_OK else { throw damage }
    return contents
  }
}
