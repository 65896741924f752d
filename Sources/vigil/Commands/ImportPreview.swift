import VigilImport
import VigilModel
import VigilReport

/// The first days of an import that is not made.
struct ImportPreview: Report {
  struct PreviewDay {
    var day: Day
    var values: [String: Double]
  }

  /// The first of them; nil where the days are known only while they are written.
  var days: [PreviewDay]?
  var recordsRead: Int
  /// Records that cannot be used.
  var unusable: Int
  var firstProblems: [String]

  /// Days that are shown.
  private static let mostDays = 7

  init(_ contents: ArchiveContents?) {
    days = contents?.days.prefix(Self.mostDays).map { day in
      PreviewDay(
        day: day.day,
        values: Dictionary(uniqueKeysWithValues: day.values.map { ($0.key.rawValue, $0.value) }))
    }
    recordsRead = contents?.recordCount ?? 0
    unusable = contents?.problemCount ?? 0
    firstProblems = contents?.firstProblems ?? []
  }

  private static func text(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\((value * 100).rounded() / 100)"
  }

  func text(style: TextStyle) -> String {
    var lines = (days ?? []).map { day in
      let values = day.values.sorted { $0.key < $1.key }.map { name, value in
        "\(name) \(Self.text(value))"
      }
      return "\(day.day)  \(values.joined(separator: ", "))"
    }
    if unusable > 0 {
      lines.append("\(unusable) of \(recordsRead) records cannot be used:")
      lines += firstProblems.map { "  \($0.terminalSafe)" }
    }
    lines.append("Nothing was written: --dry-run.")
    return lines.map { $0 + "\n" }.joined()
  }

  func encode(to encoder: any Encoder) throws {
    var fields: JSONFields = [
      "records_read": recordsRead, "unusable": unusable, "first_problems": firstProblems,
    ]
    // Left out where the days are known only while they are written.
    if let days {
      fields["days"] = days.map { day -> JSONFields in ["day": day.day, "values": day.values] }
    }
    try fields.encode(to: encoder)
  }
}
