import Foundation

/// Names of the files in a folder, without hidden ones and without folders.
///
/// - Parameters:
///   - folder: The folder as the user named it.
///   - place: Where it is.
/// - Throws: `ImportError` with code `.usage` where there is no such folder.
func fileNames(inFolder folder: String, at place: String) throws -> [String] {
  var isFolder: ObjCBool = false
  guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else {
    throw ImportError(.usage, "there is no folder \(folder)")
  }
  guard isFolder.boolValue else {
    throw ImportError(.usage, "\(folder) is a file; a folder is expected")
  }
  let names: [String]
  do {
    names = try FileManager.default.contentsOfDirectory(atPath: place)
  } catch {
    throw ImportError(.badData, "cannot list \(folder); check its permissions")
  }
  return names.filter { name in
    let path = path(of: name, in: place)
    var isFolder: ObjCBool = false
    return !name.hasPrefix(".")
      && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }
}

func isFolder(_ place: String) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) && isFolder.boolValue
}

func path(of name: String, in folder: String) -> String {
  URL(fileURLWithPath: folder).appendingPathComponent(name).path
}

/// Adds up the bytes that several files have read and reports the sum.
final class ProgressMeter {
  /// The sum at the end.
  var totalBytes: Int64
  private var bytesRead: Int64 = 0
  private let report: (_ bytesRead: Int64, _ totalBytes: Int64) -> Void

  convenience init(
    paths: [String], report: @escaping (_ bytesRead: Int64, _ totalBytes: Int64) -> Void
  ) {
    let totalBytes = paths.reduce(Int64(0)) { total, path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return total + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
    self.init(totalBytes: totalBytes, report: report)
  }

  init(
    totalBytes: Int64, report: @escaping (_ bytesRead: Int64, _ totalBytes: Int64) -> Void
  ) {
    self.totalBytes = totalBytes
    self.report = report
  }

  func add(_ bytes: Int) {
    bytesRead += Int64(bytes)
    report(bytesRead, totalBytes)
  }
}
