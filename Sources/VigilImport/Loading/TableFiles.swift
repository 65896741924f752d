import Foundation
import VigilModel
import VigilStorage

/// The `<table>.csv` files of a folder, or of a ZIP archive that has been made of one.
struct TableFiles {
  /// In the order of `InputTable.all`.
  let tables: [(table: InputTable, file: InputFile)]
  /// The paths of the other files, in order.
  let others: [String]

  /// - Parameters:
  ///   - name: The folder or archive, as the user named it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  /// - Throws: `ImportError` with code `.usage` where there is no such folder or archive, or no table in it; with
  ///   `.badData` for an archive that is damaged.
  init(_ name: String, in folder: String?) throws {
    let place = name.path(startingIn: folder)
    let files: [InputFile]
    if ZipDirectory.isZip(place) {
      files = try Self.files(ofArchive: place, named: name)
    } else {
      files = try fileNames(inFolder: name, at: place).map { own in
        let path = path(of: own, in: place)
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return InputFile(
          path: own, byteCount: size?.int64Value ?? 0, location: .path(path))
      }
    }
    tables = InputTable.all.compactMap { table in
      files.first { fileName($0.nameOfContents) == "\(table.name).csv" }.map { (table, $0) }
    }
    guard !tables.isEmpty else {
      let expected = InputTable.all.map { "\($0.name).csv" }.joined(separator: ", ")
      throw ImportError(.usage, "nothing to import in \(name): it holds none of \(expected)")
    }
    let imported = Set(tables.map(\.file.path))
    others = files.map(\.path).filter { !imported.contains($0) }.sorted()
  }

  /// The files of the one folder of an archive that holds tables.
  private static func files(ofArchive place: String, named name: String) throws -> [InputFile] {
    let files = try ZipDirectory.entries(of: .file(place), named: name).map { InputFile($0) }
    let folders = Set(files.filter(Self.isTable).map { folder($0.path) }).sorted()
    guard folders.count <= 1 else {
      throw ImportError(
        .usage,
        "\(name) holds tables in several folders: \(folders.map { $0.isEmpty ? "/" : $0 }.joined(separator: ", "));"
          + " nothing was imported; unpack it, and give one of them")
    }
    return files.filter { folder($0.path) == folders.first ?? "" }
  }

  /// Whether a file has the name of a table.
  static func isTable(_ file: InputFile) -> Bool {
    InputTable.all.contains { fileName(file.nameOfContents) == "\($0.name).csv" }
  }

  /// The folder of a path, with the slash at its end.
  private static func folder(_ path: String) -> String {
    String(path.dropLast(fileName(path).count))
  }
}
