import CMinizip
import VigilFiles
import VigilModel

/// A ZIP archive that is written at once.
enum ZipFile {
  /// - Throws: `NewFileError`; `CommandFailure` (64) for a FIFO or a device, (73) where it cannot be written.
  static func write(
    _ files: [(name: String, contents: [UInt8])], to file: NewFile, at now: Timestamp
  ) throws {
    let zip = try ZipWriter(file, at: now)
    for (name, contents) in files { try zip.add(name, contents) }
    try zip.publish()
  }
}

/// A ZIP archive that is written file by file; it is gone unless it is published.
final class ZipWriter {
  private let file: NewFile
  private let stream: NewFileStream
  private let time: UInt
  /// Nil once it is closed.
  private var zip: zipFile?

  /// - Throws: `NewFileError`; `CommandFailure` (64) for a FIFO or a device, (73) where it cannot be written.
  init(_ file: NewFile, at now: Timestamp) throws {
    self.file = file
    stream = try NewFileStream(file)
    time = Self.date(now.utcDay)
    guard let path = stream.partialPath else {
      throw CommandFailure(.usage, "an archive can be written to a regular file only")
    }
    zip = zipOpen64(path, APPEND_STATUS_CREATE)
    guard zip != nil else { throw unwritable }
  }

  deinit { if let zip { zipClose(zip, nil) } }

  /// - Throws: `CommandFailure` (73) where it cannot be written.
  func add(_ name: String, _ contents: [UInt8]) throws {
    var info = zip_fileinfo()
    info.dosDate = time
    guard
      zipOpenNewFileInZip64(
        zip, name, &info, nil, 0, nil, 0, nil, Z_DEFLATED, 6,
        contents.count >= Int(UInt32.max) ? 1 : 0)
        == ZIP_OK
    else { throw unwritable }
    try contents.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 24))
        guard zipWriteInFileInZip(zip, part.baseAddress, UInt32(part.count)) == ZIP_OK else {
          throw unwritable
        }
        rest = rest.dropFirst(part.count)
      }
    }
    guard zipCloseFileInZip(zip) == ZIP_OK else { throw unwritable }
  }

  /// Completes the archive, waits until it is on the disk, and gives it its name.
  func publish() throws {
    let open = zip
    zip = nil
    guard zipClose(open, nil) == ZIP_OK else { throw unwritable }
    try stream.publish()
  }

  private var unwritable: CommandFailure {
    CommandFailure(.cannotCreate, "\(file.path) cannot be written; check the free space there")
  }

  /// As MS-DOS has it: years since 1980, months and days.
  private static func date(_ day: Day) -> UInt {
    let parts = day.description.split(separator: "-").compactMap { UInt($0) }
    guard parts.count == 3, parts[0] >= 1980 else { return 0x21 << 16 }
    return ((parts[0] - 1980) << 25) | (parts[1] << 21) | (parts[2] << 16)
  }
}
