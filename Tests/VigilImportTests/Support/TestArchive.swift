import CMinizip
import CZlib
import Foundation
import Testing

/// A ZIP archive that a test makes.
enum TestArchive {
  /// Writes an archive and returns its path.
  @discardableResult
  static func write(
    _ files: [(name: String, contents: Data)], to path: String, isCompressed: Bool = true
  ) throws -> String {
    let zip = try #require(zipOpen64(path, APPEND_STATUS_CREATE))
    for (name, contents) in files {
      var info = zip_fileinfo()
      try #require(
        zipOpenNewFileInZip64(
          zip, name, &info, nil, 0, nil, 0, nil, isCompressed ? Z_DEFLATED : 0, 6, 0) == ZIP_OK)
      let status = contents.withUnsafeBytes {
        zipWriteInFileInZip(zip, $0.baseAddress, UInt32($0.count))
      }
      try #require(status == ZIP_OK)
      try #require(zipCloseFileInZip(zip) == ZIP_OK)
    }
    try #require(zipClose(zip, nil) == ZIP_OK)
    return path
  }

  /// The same bytes, compressed by gzip.
  static func gzipped(_ contents: Data) throws -> Data {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).gz").path
    defer { unlink(path) }
    let file = try #require(gzopen(path, "wb9"))
    let count = contents.withUnsafeBytes { gzwrite(file, $0.baseAddress, UInt32($0.count)) }
    try #require(Int(count) == contents.count)
    try #require(gzclose(file) == Z_OK)
    return try Data(contentsOf: URL(filePath: path))
  }

  @discardableResult
  static func write(_ files: [(name: String, text: String)], to path: String) throws -> String {
    try write(files.map { ($0.name, Data($0.text.utf8)) }, to: path)
  }
}
