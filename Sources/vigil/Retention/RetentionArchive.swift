import VigilFiles
import VigilModel
import VigilReport
import VigilStorage

/// The ZIP archive that old rows are written to: CSV by table, and a manifest.
final class RetentionArchive: RowArchive {
  private let file: NewFile
  private let now: Timestamp
  private let empty: RetentionManifest
  private var manifest: RetentionManifest
  private var zip: ZipWriter?
  /// The rows by table of the complete archive; empty before.
  private(set) var published: [TableRowCount] = []

  init(_ manifest: RetentionManifest, in file: NewFile, at now: Timestamp) {
    self.file = file
    self.now = now
    empty = manifest
    self.manifest = manifest
  }

  func begin() throws {
    // The file of an earlier attempt is removed first: it has the same name.
    zip = nil
    zip = try ZipWriter(file, at: now)
    manifest = empty
  }

  func add(_ rows: ArchivedRows) throws {
    let number = manifest.files.count { $0.table == rows.table } + 1
    let digits = String(number)
    let place = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let contents = Array(rows.csv.utf8)
    let entry = ArchiveEntry(
      name: "\(rows.table)/\(place).csv", table: rows.table, rows: rows.rows.count,
      contents: contents)
    try zip?.add(entry.name, contents)
    manifest.files.append(entry)
    manifest.columns[rows.table] = rows.columns
  }

  func complete() throws {
    try zip?.add(RetentionManifest.fileName, manifest.json())
    try zip?.publish()
    zip = nil
    // It is read as a restore would, before anything goes.
    published = try RetentionArchiveContents(path: file.place, name: file.path).verified()
  }
}
