import VigilModel

/// Rows of text in aligned columns, two spaces apart; wraps and shortens nothing.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  struct Column {
    var title: String
    var alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var emphasis: Emphasis?

    init(_ text: String, _ emphasis: Emphasis? = nil) {
      self.text = text.terminalSafe
      self.emphasis = emphasis
    }

    init(stringLiteral text: String) {
      self.init(text)
    }
  }

  var columns: [Column]
  var rows: [[Cell]] = []
  /// Text before every line.
  var indent = ""
  var showsTitles = true

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// A table without titles, for names with their values.
  init(pairs: [(String, String)], indent: String = "  ") {
    columns = [Column(""), Column("")]
    rows = pairs.map { [Cell($0), Cell($1)] }
    self.indent = indent
    showsTitles = false
  }

  /// The table with a line break after every row.
  func render(_ style: TextStyle) -> String {
    let titles = columns.map { Cell($0.title) }
    let lines = (showsTitles ? [titles] : []) + rows
    let widths = columns.indices.map { column in
      lines.map { $0[column].text.displayWidth }.max() ?? 0
    }
    var result = ""
    for line in lines {
      var text = indent
      for (column, cell) in line.enumerated() {
        let gap = String(
          repeating: " ", count: max(0, widths[column] - cell.text.displayWidth))
        let content = style.apply(cell.emphasis, to: cell.text)
        text += columns[column].alignment == .left ? content + gap : gap + content
        if column < columns.count - 1 { text += "  " }
      }
      while text.last == " " { text.removeLast() }
      result += text + "\n"
    }
    return result
  }
}
