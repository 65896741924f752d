import VigilModel
import VigilReport
import VigilStorage

/// An archive of old rows, which is read.
struct RetentionArchiveContents {
  let manifest: RetentionManifest
  private let zip: ZipReader
  private let name: String

  /// - Parameters:
  ///   - path: The path of the archive.
  ///   - name: Its name in messages.
  /// - Throws: `CommandFailure` (65) where it is none, or is damaged.
  init(path: String, name: String) throws {
    self.name = name
    zip = try ZipReader(path, named: name)
    guard
      let manifest = try RetentionManifest(json: zip.contents(of: RetentionManifest.fileName))
    else {
      throw CommandFailure(
        .badData, "\(name) is no archive of vigil retain; check the name of the file")
    }
    self.manifest = manifest
  }

  /// The number of rows by table, once the digest of each file is found right.
  func verified() throws -> [TableRowCount] {
    var counts: [String: Int] = [:]
    for entry in manifest.files {
      counts[entry.table, default: 0] += try rows(of: entry).rows.count
    }
    return RetainedTable.all.compactMap { table in
      counts[table.name].map { TableRowCount(table: table.name, rows: $0) }
    }
  }

  /// The files in the order in which their rows can be inserted.
  var filesByParents: [ArchiveEntry] {
    RetainedTable.all.reversed().flatMap { table in
      manifest.files.filter { $0.table == table.name }
    }
  }

  /// The rows of a file.
  func rows(of entry: ArchiveEntry) throws -> ArchivedRows {
    let contents = try zip.contents(of: entry.name)
    guard entry.isOf(contents), RetainedTable.named(entry.table) != nil,
      let rows = ArchivedRows(
        csv: contents, of: entry.table, columns: manifest.columns[entry.table] ?? []),
      rows.rows.count == entry.rows
    else {
      throw CommandFailure(
        .badData,
        "\(name): \(entry.name.terminalSafe) is not what the manifest says; take another copy of the archive"
      )
    }
    return rows
  }
}
