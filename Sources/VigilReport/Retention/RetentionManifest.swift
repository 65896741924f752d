import Foundation
public import VigilModel
public import VigilStorage

/// The manifest of an archive of old rows.
public struct RetentionManifest: Sendable, Hashable, Decodable {
  /// The form of the archive.
  public var kind = "vigil_retention_1"
  public var archivedAt: Timestamp
  public var engineVersion: String
  /// `sqlite` or `postgres`: the texts of values are the database's own.
  public var database: String
  /// By subject, the first day that stayed.
  public var before: [String: Day]
  /// By table.
  public var columns: [String: [ArchivedRows.Column]] = [:]
  public var files: [ArchiveEntry] = []

  /// The name of its file in the archive.
  public static let fileName = "manifest.json"

  public init(
    _ cutoffs: [RetentionCutoff], at now: Timestamp, engineVersion: String, database: String
  ) {
    archivedAt = now
    self.engineVersion = engineVersion
    self.database = database
    before = Dictionary(
      cutoffs.map { ($0.subject.rawValue, $0.before) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Throws: `EncodingError`, which a manifest never has.
  public func json() throws -> [UInt8] {
    let fields: JSONFields = [
      "kind": kind,
      "archived_at": archivedAt,
      "engine_version": engineVersion,
      "database": database,
      "before": before,
      "columns": columns.mapValues { columns in
        columns.map { column -> JSONFields in ["name": column.name, "type": column.type] }
      },
      "files": files,
    ]
    return Array(try JSONDocument.text(of: fields).utf8)
  }

  /// - Returns: Nil for what is no manifest of this form.
  public init?(json: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let manifest = try? decoder.decode(Self.self, from: Data(json)),
      manifest.kind == "vigil_retention_1"
    else { return nil }
    self = manifest
  }
}
