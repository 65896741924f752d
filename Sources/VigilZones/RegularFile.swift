import CFiles

/// Reads small files that other programs maintain.
enum RegularFile {
  struct Failure: Error {
    /// The system's own words, such as `Permission denied`.
    var reason: String
  }

  /// Returns the contents; nil where there is no such file, or something else than a file.
  ///
  /// - Throws: Where it is there and cannot be read, or is longer than `limit`.
  static func contents(of path: String, atMost limit: Int) throws(Failure) -> [UInt8]? {
    let descriptor = vigil_open(path)
    guard descriptor >= 0 else {
      guard [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG].contains(vigil_error()) else { throw .last() }
      return nil
    }
    defer { close(descriptor) }
    let size = vigil_size(descriptor)
    guard size != -1 else { throw .last() }
    guard size >= 0 else { return nil }
    guard size <= limit else { throw Failure(reason: "longer than \(limit) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: length), buffer.count - length)
      }
      if count == 0 { break }
      if count < 0 {
        if vigil_error() == EINTR { continue }
        throw .last()
      }
      length += count
    }
    return Array(bytes.prefix(length))
  }
}

extension RegularFile {
  /// The names in a folder, without those of itself and the one above; nil for what is no folder.
  static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

extension RegularFile.Failure {
  fileprivate static func last() -> Self {
    Self(reason: String(cString: strerror(vigil_error())))
  }
}
