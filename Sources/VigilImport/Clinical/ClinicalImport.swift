import Foundation
import VigilModel
public import VigilStorage

/// Reads measurements of many persons in a form that clinical platforms exchange: Observations of FHIR, or data points of
/// Open mHealth.
///
/// Files have a record a line (NDJSON, as bulk exports have it), or are one document: a list, or a Bundle of FHIR. The
/// measurements of a day and device become the metrics of that day. A record with an id counts once, the last one
/// that is read.
public struct ClinicalImport {
  /// A user's answers to questions that the files leave open.
  public struct Request: Sendable, Hashable {
    /// The person of records that name none.
    public var user: String?
    /// The zone of times in UTC; nil for that of each person.
    public var timeZone: String?

    public init(user: String? = nil, timeZone: String? = nil) {
      self.user = user
      self.timeZone = timeZone
    }
  }

  private let form: ClinicalForm
  private let request: Request
  private let layout: ClinicalLayout
  private let files: [InputFile]
  private let repeatedFiles: [String]
  private let options: ImportOptions

  /// Finds the files; reads no record yet.
  ///
  /// - Parameters:
  ///   - path: A folder, a ZIP archive or a file.
  ///   - form: The form of the records.
  ///   - request: What the user says about them.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` where there is no such file.
  public init(
    path: String, form: ClinicalForm, request: Request, options: ImportOptions
  ) throws {
    let found = try InputFiles(path, in: options.currentFolder)
    let named = found.files.filter { file in
      let name = file.nameOfContents.lowercased()
      return [".json", ".ndjson", ".jsonl"].contains(where: name.hasSuffix)
    }
    guard !(found.isFolder || found.files.count != 1) || !named.isEmpty else {
      throw ImportError(
        .usage, "nothing to import in \(path): it holds no file .json, .ndjson or .jsonl")
    }
    (files, repeatedFiles) = try InputFiles.distinct(named.isEmpty ? found.files : named)
    layout = try form.layout()
    self.form = form
    self.request = request
    self.options = options
  }

  /// Imports all in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where records cannot be used (see `ImportOptions`) or `shouldStop` returns true,
  ///   `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    let session = ImportSession(writer: writer, options: options)
    let meter = ProgressMeter(
      totalBytes: files.reduce(0) { $0 + $1.byteCount }, report: options.progress)
    let parser = FieldParser(today: options.today, zones: options.zones)
    var days = ClinicalDays(layout, request, parser: parser, options: options)
    var table = ImportSummary.Table(
      name: InputTable.wearableDailyMetrics.name, file: "\(form.name) records")
    for file in files {
      let name = fileName(file.path)
      try ClinicalRecords(file, didRead: { meter.add($0) }).forEach { object, line in
        try session.checkForStop()
        guard let object else {
          table.rowsRead += 1
          table.rowsQuarantined += 1
          return try session.reject(
            RowProblem(reason: "not an object of JSON"), table: .wearableDailyMetrics, file: name,
            line: line)
        }
        guard let record = ClinicalRecord(object, as: form) else { return }
        table.rowsRead += 1
        let part: ClinicalPart?
        do throws(RowProblem) {
          part = try days.part(of: record)
        } catch {
          table.rowsQuarantined += 1
          return try session.reject(
            error, table: .wearableDailyMetrics, file: name, line: line)
        }
        if let part { try days.keep(part) }
      }
    }
    guard table.rowsRead > 0 else {
      throw ImportError(
        .badData,
        "\(files.count == 1 ? fileName(files[0].path) + " holds" : "the files hold") no record of \(form.name);"
          + " nothing was imported"
      )
    }
    try options.zones.requireNoFault()
    var loaders: [[MetricType]: TableLoader] = [:]
    try days.forEachGroup { metrics, rows in
      let loader =
        try loaders[metrics]
        ?? TableLoader(
          table: .wearableDailyMetrics,
          columns: ["user_id", "metric_date", "source"] + metrics.map(\.rawValue),
          file: table.file, session: session, keysAreDistinct: true)
      loaders[metrics] = loader
      for row in rows {
        var values: [InputValue] = [.uuid(row.person.id), .day(row.day), .text(row.source)]
        values += metrics.map { InputValue(row.values[$0]) }
        try loader.load(&values, of: row.person, line: 0)
      }
    }
    for loader in loaders.values {
      table.rowsWritten += loader.summary.rowsWritten
      table.rowsLeftOut += loader.summary.rowsLeftOut
      table.personsAdded += loader.summary.personsAdded
    }
    table.rowsMerged =
      table.rowsRead - table.rowsQuarantined - table.rowsWritten - table.rowsLeftOut
    return try session.finish(tables: [table], repeatedFiles: repeatedFiles)
  }
}
