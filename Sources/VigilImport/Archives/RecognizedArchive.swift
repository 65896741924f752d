import Foundation
import VigilModel

/// The files of one maker's export, by the tables that they hold.
struct RecognizedArchive {
  let layout: ArchiveLayout
  /// The files of each table, as many as the layout has.
  let files: [[InputFile]]

  /// The files that are read, each once.
  var distinctFiles: [InputFile] {
    var paths: Set<String> = []
    return files.joined().filter { paths.insert($0.identity).inserted }
  }

  /// Finds the tables of a layout; nil where there are none.
  ///
  /// - Throws: `ImportError` where a file cannot be read that may be one of them.
  init?(_ layout: ArchiveLayout, in files: [InputFile]) throws {
    var headers: [String: Set<String>?] = [:]
    var firstLines: [String: String] = [:]
    // A file that cannot be read is none of them, unless its name says so.
    func isMarked(_ file: InputFile, as table: ArchiveTable) -> Bool {
      guard let pattern = table.firstLine, file.nameOfContents.lowercased().hasSuffix(".csv") else {
        return false
      }
      let line = firstLines[file.identity] ?? (try? file.firstLine()) ?? ""
      firstLines[file.identity] = line
      return ArchiveTable.matches(line[...], pattern: pattern[...])
    }
    let found = try layout.tables.map { table in
      try files.filter { file in
        guard table.matches(file.nameOfContents) || isMarked(file, as: table) else { return false }
        // Pictures of the sky have the same ending.
        if table.format == .fit { return FITFile.isFIT(try file.beginning(16)) }
        guard table.format == .csv else { return true }
        // Tables with other lines before the header see another header.
        let key = "\(table.skippedLines) \(file.identity)"
        let header = try headers[key] ?? ArchiveRecords(file: file, table: table).header()
        headers[key] = header
        guard let header else { return false }
        return table.needs.allSatisfy(header.has) && table.day.columns.contains(where: header.has)
          && (table.columns.isEmpty || table.columns.contains { header.has($0.column) })
      }
    }
    guard found.contains(where: { !$0.isEmpty }) else { return nil }
    self.layout = layout
    self.files = found
  }

  init(layout: ArchiveLayout, files: [[InputFile]]) {
    self.layout = layout
    self.files = files
  }

  /// Whether a table has times whose day depends on a zone.
  var needsZone: Bool {
    zip(layout.tables, files).contains { table, files in
      !files.isEmpty
        && ([.fitbit, .fit].contains(table.format)
          || (table.day.form == .instant && table.day.offset == nil))
    }
  }

  /// The same without files that have the contents of another one, and the paths of these.
  func withoutRepeatedFiles() throws -> (archive: RecognizedArchive, repeated: [String]) {
    let (kept, repeated) = try InputFiles.distinct(distinctFiles)
    let identities = Set(kept.map(\.identity))
    return (
      RecognizedArchive(
        layout: layout,
        files: files.map { $0.filter { identities.contains($0.identity) } }), repeated
    )
  }
}

extension Set<String> {
  /// Whether a header, as letters, has a column.
  fileprivate func has(_ column: String) -> Bool { contains(ColumnRole.letters(of: column)) }
}

extension InputFile {
  /// The first line, as far as it has 256 bytes, without a byte order mark.
  fileprivate func firstLine() throws -> String {
    let start = try beginning(256).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let line = String(decoding: start, as: UTF8.self)
    return line.hasPrefix("\u{FEFF}") ? String(line.dropFirst()) : line
  }

  /// The place of the file, which no other has.
  var identity: String {
    switch location {
    case .path(let path): path
    case .entry(let entry): "\(entry.archive.identity)\u{0}\(entry.name)"
    }
  }
}
