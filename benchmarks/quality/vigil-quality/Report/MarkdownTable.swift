/// A table in Markdown.
struct MarkdownTable {
  var header: [String]
  var rows: [[String]] = []

  init(_ header: [String]) {
    self.header = header
  }

  mutating func add(_ row: [String]) {
    precondition(row.count == header.count)
    rows.append(row)
  }

  var text: String {
    let rule = header.indices.map { $0 == 0 ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
