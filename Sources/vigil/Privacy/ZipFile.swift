import CMinizip
import VigilFiles
import VigilModel

/// A ZIP archive that is written at once.
enum ZipFile {
  /// - Throws: `NewFileError`; `CommandFailure` (64) for a FIFO or a device, (73) where it cannot be written.
  static func write(
    _ files: [(name: String, contents: [UInt8])], to file: NewFile, at now: Timestamp
  ) throws {
    let stream = try NewFileStream(file)
    guard let path = stream.partialPath else {
      throw CommandFailure(.usage, "an archive can be written to a regular file only")
    }
    guard let zip = zipOpen64(path, APPEND_STATUS_CREATE) else { throw unwritable(file) }
    var isOpen = true
    defer { if isOpen { zipClose(zip, nil) } }
    for (name, contents) in files {
      var info = zip_fileinfo()
      info.dosDate = date(now.utcDay)
      guard
        zipOpenNewFileInZip64(
          zip, name, &info, nil, 0, nil, 0, nil, Z_DEFLATED, 6,
          contents.count >= Int(UInt32.max) ? 1 : 0)
          == ZIP_OK
      else { throw unwritable(file) }
      try contents.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 24))
          guard zipWriteInFileInZip(zip, part.baseAddress, UInt32(part.count)) == ZIP_OK else {
            throw unwritable(file)
          }
          rest = rest.dropFirst(part.count)
        }
      }
      guard zipCloseFileInZip(zip) == ZIP_OK else { throw unwritable(file) }
    }
    isOpen = false
    guard zipClose(zip, nil) == ZIP_OK else { throw unwritable(file) }
    try stream.publish()
  }

  private static func unwritable(_ file: NewFile) -> CommandFailure {
    CommandFailure(.cannotCreate, "\(file.path) cannot be written; check the free space there")
  }

  /// As MS-DOS has it: years since 1980, months and days.
  private static func date(_ day: Day) -> UInt {
    let parts = day.description.split(separator: "-").compactMap { UInt($0) }
    guard parts.count == 3, parts[0] >= 1980 else { return 0x21 << 16 }
    return ((parts[0] - 1980) << 25) | (parts[1] << 21) | (parts[2] << 16)
  }
}
