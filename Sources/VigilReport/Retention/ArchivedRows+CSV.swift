public import VigilStorage

/// Rows of an archive as CSV: a header, and a line for each row (RFC 4180).
///
/// NULL is an empty field without quotes, the empty text one with them.
extension ArchivedRows {
  public var csv: String {
    ([columns.map { $0.name.csvField }] + rows.map { row in row.map(Self.field) }).map {
      $0.joined(separator: ",") + "\n"
    }.joined()
  }

  private static func field(_ value: String?) -> String {
    guard let value else { return "" }
    return value.isEmpty ? "\"\"" : value.csvField
  }

  /// - Parameters:
  ///   - csv: As `csv` writes it.
  ///   - table: The table of the rows.
  ///   - columns: Those of the header, in its order.
  /// - Returns: Nil for another text.
  public init?(csv: [UInt8], of table: String, columns: [Column]) {
    guard var lines = Self.lines(of: csv), !lines.isEmpty,
      lines.removeFirst() == columns.map({ Optional($0.name) }),
      lines.allSatisfy({ $0.count == columns.count })
    else { return nil }
    self.init(table: table, columns: columns, rows: lines)
  }

  /// The fields of each line; nil where a quote is out of place, or the last line has no end.
  private static func lines(of csv: [UInt8]) -> [[String?]]? {
    let (quote, comma, newline) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"))
    var lines: [[String?]] = []
    var line: [String?] = []
    var place = csv.startIndex
    while place < csv.endIndex {
      var field: [UInt8] = []
      let isQuoted = csv[place] == quote
      if isQuoted {
        place += 1
        while true {
          guard place < csv.endIndex else { return nil }
          if csv[place] == quote {
            place += 1
            guard place < csv.endIndex, csv[place] == quote else { break }
          }
          field.append(csv[place])
          place += 1
        }
      } else {
        while place < csv.endIndex, csv[place] != comma, csv[place] != newline {
          guard csv[place] != quote else { return nil }
          field.append(csv[place])
          place += 1
        }
      }
      guard place < csv.endIndex, csv[place] == comma || csv[place] == newline,
        let text = String(validating: field, as: UTF8.self)
      else { return nil }
      line.append(text.isEmpty && !isQuoted ? nil : text)
      if csv[place] == newline {
        lines.append(line)
        line = []
      } else if place + 1 < csv.endIndex, csv[place + 1] == newline {
        // The last field of a line is empty.
        line.append(nil)
        lines.append(line)
        line = []
        place += 1
      }
      place += 1
    }
    return line.isEmpty ? lines : nil
  }
}
