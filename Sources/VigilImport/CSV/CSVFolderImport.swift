import Foundation
import VigilModel
public import VigilStorage

/// Reads the `<table>.csv` files of a folder, or of a ZIP archive, into the input tables of that name.
public struct CSVFolderImport {
  private let files: [File]
  private let ignoredFiles: [String]
  private let options: ImportOptions

  private struct File {
    var table: InputTable
    var mapping: ColumnMapping
    var reader: CSVReader
  }

  /// Whether a path is one of a folder or a ZIP archive; nil where there is nothing.
  ///
  /// - Parameters:
  ///   - path: The path, as the user named it.
  ///   - folder: The folder where a relative path begins; nil for the current one of the process.
  public static func takes(_ path: String, in folder: String?) -> Bool? {
    let place = URL(filePath: path.path(startingIn: folder)).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: place) else {
      return nil
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory: return true
    // Another kind of file, such as a pipe, may have no beginning to look at.
    case .typeRegular: return ZipDirectory.isZip(place)
    default: return false
    }
  }

  /// Opens the files and checks their headers; reads no row yet.
  ///
  /// - Parameters:
  ///   - folder: The folder or the archive.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` with code `.usage` where there is no such folder or nothing to import in
  ///   it, and with `.badData` and every problem of every header where there are any.
  public init(folder: String, options: ImportOptions) throws {
    let found = try TableFiles(folder, in: options.currentFolder)
    let meter = ProgressMeter(
      totalBytes: found.tables.reduce(0) { $0 + $1.file.byteCount }, report: options.progress)
    var files: [File] = []
    var problems: [String] = []
    for (table, file) in found.tables {
      let name = "\(table.name).csv"
      do {
        let reader = try CSVReader(file.open { meter.add($0) }, delimiter: UInt8(ascii: ","))
        let table = try table.asStored(reader.header, options)
        let mapping = try ColumnMapping(header: reader.header, table: table, file: name)
        files.append(File(table: table, mapping: mapping, reader: reader))
      } catch let error as HeaderProblems {
        problems += error.lines
      } catch let error as ImportError {
        problems.append(error.message)
      }
    }
    guard problems.isEmpty else {
      throw ImportError(
        .badData, "the files in \(folder) cannot be imported; nothing was imported",
        problems: problems)
    }
    self.files = files
    self.options = options
    ignoredFiles = found.others
  }

  /// Imports every file in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop`
  ///   returns true, `StorageError` from the database, `ZoneFault` where the rules of a time zone
  ///   cannot be read. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let tables = try files.map { try load($0, session: session) }
    return try session.finish(tables: tables, ignoredFiles: ignoredFiles)
  }

  private func load(_ file: File, session: ImportSession) throws -> ImportSummary.Table {
    let columns = file.mapping.columns
    let parser = FieldParser(today: options.today, zones: options.zones)
    // A table with both columns gets the times that a row lacks; one with only this column does
    // not.
    let creation = columns.firstIndex { $0.name == "created_at" }
    let hasCreationOnly =
      file.table.column(named: "created_at") != nil && file.table.column(named: "updated_at") == nil
    let lacksCreation = hasCreationOnly && creation == nil
    let loader = try TableLoader(
      table: file.table,
      columns: columns.map(\.name) + file.mapping.cleared.map(\.name)
        + (file.mapping.derivesID ? ["id"] : []) + (lacksCreation ? ["created_at"] : []),
      file: fileName(file.reader.path), session: session)
    let personIndex = columns.firstIndex { $0.kind == .person }
    let check = RowCheck(table: file.table, columns: columns, now: options.now)
    var values: [InputValue] = []
    var others: [PersonID] = []
    try file.reader.forEachRow { row in
      let person: PersonID?
      values.removeAll(keepingCapacity: true)
      others.removeAll(keepingCapacity: true)
      do throws(RowProblem) {
        if let problem = row.problem { throw RowProblem(reason: problem.description) }
        if let personIndex {
          person = try parser.person(of: row[personIndex], in: columns[personIndex].name)
        } else {
          person = nil
        }
        for (index, column) in columns.enumerated() {
          if index == personIndex, let person {
            values.append(.uuid(person.id))
          } else if case .person = column.kind, let personIndex {
            let other = try parser.person(of: row[index], in: column.name)
            guard other.id != person?.id else {
              throw RowProblem(
                column: column.name, reason: "the same person as \(columns[personIndex].name)")
            }
            others.append(other)
            values.append(.uuid(other.id))
          } else {
            values.append(try parser.value(of: row[index], in: column, of: file.table))
          }
        }
        try check?.check(values)
      } catch {
        return try loader.reject(error, line: row.line)
      }
      values += file.mapping.cleared.map { _ in .null }
      if file.mapping.derivesID, let id = exerciseSessionID(columns: columns, values: values) {
        values.append(.uuid(id))
      }
      if lacksCreation {
        values.append(.timestamp(options.now))
      } else if hasCreationOnly, let creation, values[creation] == .null {
        values[creation] = .timestamp(options.now)
      }
      try loader.load(&values, of: person, naming: others, line: row.line)
    }
    return loader.summary
  }
}

extension InputTable {
  /// The table with the metrics that an operator has added to the database, where a file has columns that do not ship.
  fileprivate func asStored(_ header: [String], _ options: ImportOptions) throws -> InputTable {
    guard self == .wearableDailyMetrics, header.contains(where: { column(named: $0) == nil })
    else { return self }
    return adding(try options.storedMetrics())
  }
}
