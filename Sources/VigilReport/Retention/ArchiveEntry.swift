package import VigilModel

/// A file of an archive of rows, as its manifest names it.
public struct ArchiveEntry: Sendable, Hashable, Decodable {
  public var name: String
  public var table: String
  public var rows: Int
  public var bytes: Int
  /// SHA-256, lower-case hexadecimal.
  public var sha256: String

  public init(name: String, table: String, rows: Int, contents: [UInt8]) {
    self.name = name
    self.table = table
    self.rows = rows
    bytes = contents.count
    sha256 = SHA256.hexadecimal(of: contents)
  }

  /// Whether these are the bytes that were archived.
  public func isOf(_ contents: [UInt8]) -> Bool {
    contents.count == bytes && SHA256.hexadecimal(of: contents) == sha256
  }
}

extension ArchiveEntry: JSONRepresentable {
  package var json: JSONValue {
    let fields: JSONFields = [
      "name": name, "table": table, "rows": rows, "bytes": bytes, "sha256": sha256,
    ]
    return fields.json
  }
}

extension String {
  /// The text as a field of CSV (RFC 4180): between quotes where it needs them.
  var csvField: String {
    let isPlain = utf8.allSatisfy {
      $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n")
        && $0 != UInt8(ascii: "\r")
    }
    return isPlain ? self : "\"\(replacing("\"", with: "\"\""))\""
  }
}
