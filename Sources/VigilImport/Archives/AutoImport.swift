import Foundation
import VigilModel
public import VigilStorage

/// The import of a folder, an archive or a file whose kind is found from its contents.
public struct AutoImport {
  /// A user's answers to questions that the files leave open.
  public struct Request: Sendable, Hashable {
    /// The person whose export it is; nil where the files say it.
    public var user: String?
    /// The source of the rows of a file of daily metrics; nil where a column has it.
    public var source: String?
    /// The zone of times in UTC; nil for that of the person.
    public var timeZone: String?
    /// The kind, where several are among the files; nil to find it.
    public var kind: String?

    public init(
      user: String? = nil, source: String? = nil, timeZone: String? = nil, kind: String? = nil
    ) {
      self.user = user
      self.source = source
      self.timeZone = timeZone
      self.kind = kind
    }
  }

  /// Each kind that can be recognized, with what it is in words.
  public static func kinds() throws -> [(name: String, about: String)] {
    let clinical = ClinicalForm.allCases.map { form in
      (
        name: form.rawValue,
        about: "\(form.name): records of many persons, a line each or in a list"
      )
    }
    var kinds = [(name: apple, about: "Apple Health: export.zip, or export.xml in it")]
    kinds += try ArchiveLayout.shipped().map { (name: $0.name, about: $0.about) }
    kinds += clinical
    kinds.append((tables, "Vigil: a folder, or a ZIP archive, of <table>.csv"))
    kinds.append((daily, "a CSV file with a row a day, or a row a value"))
    return kinds
  }

  private static let apple = "apple-health"
  private static let tables = "tables"
  private static let daily = "daily"

  private enum Source {
    case apple(AppleHealthImport)
    case archive(ArchiveImport)
    case tables(CSVFolderImport)
    case clinical(ClinicalImport)
    case daily(DailyFileImport)
  }

  private let source: Source

  /// Recognizes the files and reads them; writes nothing.
  ///
  /// - Parameters:
  ///   - path: A folder, a ZIP archive or another file.
  ///   - request: What the user says about it.
  ///   - options: The limits of the import and its callbacks.
  /// - Throws: `ImportError` where nothing is recognized, several kinds are, or a file cannot be read.
  public init(path: String, request: Request, options: ImportOptions) throws {
    let files = try InputFiles(path, in: options.currentFolder)
    let layouts = try ArchiveLayout.shipped()
    if let kind = request.kind, try !Self.kinds().contains(where: { $0.name == kind }) {
      let names = try Self.kinds().map(\.name)
      let nearest = NearestName.of(kind, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw ImportError(
        .usage,
        "there is no kind '\(kind)'\(nearest); it is one of \(names.joined(separator: ", "))")
    }
    func asks(for kind: String) -> Bool { request.kind == nil || request.kind == kind }
    let exports = asks(for: Self.apple) ? try Self.appleExports(in: files.files) : []
    let archives = try layouts.filter { asks(for: $0.name) }.compactMap {
      try RecognizedArchive($0, in: files.files)
    }
    let hasTables =
      asks(for: Self.tables)
      && files.files.contains { file in
        // Of an archive it is found out below where they stand.
        TableFiles.isTable(file)
          && (files.isFolder ? !file.isInArchive && !file.path.contains("/") : file.isInArchive)
      }
    let found =
      (exports.isEmpty ? [] : [Self.apple]) + archives.map(\.layout.name)
      + (hasTables ? [Self.tables] : [])
    guard found.count <= 1 else {
      throw ImportError(
        .usage,
        "\(path) holds exports of several kinds: \(found.joined(separator: ", ")); nothing was imported",
        remedy: .chooseKind)
    }
    if hasTables {
      try request.refuse(
        Remedy.Answer.allCases, for: Self.tables, options)
      source = .tables(try CSVFolderImport(folder: path, options: options))
    } else if let archive = archives.first {
      try request.refuse([.source], for: archive.layout.name, options)
      source = .archive(
        try ArchiveImport(
          archive, of: files, user: try Self.user(request, archive.layout.name),
          timeZone: request.timeZone, options: options))
    } else if let export = exports.first {
      guard exports.count == 1 else {
        throw ImportError(
          .usage,
          "\(path) holds several exports of Apple Health: \(exports.map(\.path).joined(separator: ", ")); nothing was"
            + " imported; give one of them")
      }
      try request.refuse([.source], for: Self.apple, options)
      source = .apple(
        try AppleHealthImport(
          export, user: try Self.user(request, Self.apple), timeZone: request.timeZone,
          options: options))
    } else if let form = try Self.clinicalForm(of: files.files, kind: request.kind) {
      try request.refuse([.source, .replacement], for: form.rawValue, options)
      source = .clinical(
        try ClinicalImport(
          path: path, form: form,
          request: .init(user: request.user, timeZone: request.timeZone), options: options))
    } else {
      source = .daily(try Self.dailyFile(path, files, request: request, options: options))
      try request.refuse([.timeZone, .replacement], for: Self.daily, options)
    }
  }

  private static func user(_ request: Request, _ kind: String) throws -> String {
    guard let user = request.user else {
      throw ImportError(
        .usage,
        "the export (\(kind)) does not say whose it is; nothing was imported",
        remedy: .namePerson)
    }
    return user
  }

  /// The exports of Apple Health: XML whose first element is `HealthData`, whatever the file is called.
  static func appleExports(in files: [InputFile]) throws -> [InputFile] {
    try InputFiles.distinct(
      files.filter { $0.nameOfContents.lowercased().hasSuffix(".xml") }.filter { file in
        let start = try file.beginning(64 << 10)
        return start.firstRange(of: Array("<HealthData".utf8)) != nil
          || start.firstRange(of: Array("<!DOCTYPE HealthData".utf8)) != nil
      }
    ).files
  }

  /// The form of clinical records of which the files have one; nil where none has.
  ///
  /// - Parameter kind: The kind that the user names.
  private static func clinicalForm(of files: [InputFile], kind: String?) throws -> ClinicalForm? {
    if let kind { return ClinicalForm(rawValue: kind) }
    for file in files {
      let name = file.nameOfContents.lowercased()
      guard [".json", ".ndjson", ".jsonl"].contains(where: name.hasSuffix) else { continue }
      let start = try file.beginning(64 << 10)
      if let form = ClinicalForm.allCases.first(where: {
        start.firstRange(of: Array($0.mark.utf8)) != nil
      }) {
        return form
      }
    }
    return nil
  }

  private static func dailyFile(
    _ path: String, _ files: InputFiles, request: Request, options: ImportOptions
  ) throws -> DailyFileImport {
    var reason: String?
    if !files.isFolder, files.files.count == 1, case .path = files.files[0].location,
      request.kind == nil || request.kind == daily
    {
      do {
        return try DailyFileImport(
          path: path, request: DailyFileRequest(user: request.user, source: request.source),
          options: options)
      } catch let error as ImportError where error.code == .badData {
        if request.kind == daily { throw error }
        let fault = error.message.replacing("; nothing was imported", with: "")
        reason = "; as a file of daily metrics: \(fault)"
      }
    }
    let asked = request.kind.map { " as \($0)" } ?? ""
    let known = try kinds().map(\.name).joined(separator: ", ")
    throw ImportError(
      .badData,
      "\(path) is not recognized\(asked)\(reason ?? files.summary); nothing was imported; the kinds are \(known):"
        + " docs/import.md says which files each has")
  }

  /// The recognized files and metrics, for the user to check; nil where the files say it themselves.
  public var interpretation: FileInterpretation? {
    switch source {
    case .apple(let source): source.interpretation
    case .archive(let source): source.interpretation
    case .tables, .clinical: nil
    case .daily(let source): source.interpretation
    }
  }

  /// The days and counts; nil for files that are read only while they are written.
  public var contents: ArchiveContents? {
    switch source {
    case .apple(let source): source.contents
    case .archive(let source): source.contents
    case .tables, .clinical, .daily: nil
    }
  }

  /// Imports all in one transaction; once for each value of this type.
  ///
  /// - Throws: `ImportError` where rows cannot be used (see `ImportOptions`) or `shouldStop` returns true,
  ///   `StorageError` from the database. Nothing is imported then.
  public func run(into storage: some Storage) throws -> ImportSummary {
    try storage.importRows { try load(into: $0) }
  }

  func load(into writer: any ImportWriter) throws -> ImportSummary {
    switch source {
    case .apple(let source): try source.load(into: writer)
    case .archive(let source): try source.load(into: writer)
    case .tables(let source): try source.load(into: writer)
    case .clinical(let source): try source.load(into: writer)
    case .daily(let source): try source.load(into: writer)
    }
  }
}

extension AutoImport.Request {
  /// Refuses answers that files of a kind do not ask for, as nothing would come of them.
  fileprivate func refuse(
    _ answers: [Remedy.Answer], for kind: String, _ options: ImportOptions
  ) throws {
    let given: [Remedy.Answer: Bool] = [
      .person: user != nil, .source: source != nil, .timeZone: timeZone != nil,
      .replacement: options.replacesMissingDays,
    ]
    if let first = answers.first(where: { given[$0] == true }) {
      throw ImportError(
        .usage, "an option says nothing about files of this kind (\(kind)); nothing was imported",
        remedy: .leaveOut(first))
    }
  }
}
