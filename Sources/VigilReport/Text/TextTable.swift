import VigilModel

/// Rows of text in aligned columns, two spaces apart.
///
/// Breaks no text. Where the terminal is too narrow, short texts take the place of long ones; if that is not enough,
/// columns with a rank are left out, and a line names them.
struct TextTable {
  enum Alignment {
    case left
    case right
  }

  struct Column {
    var title: String
    var alignment: Alignment
    /// The column with the highest rank is the first that is left out; nil for one that always stays.
    var rank: Int?

    init(_ title: String, _ alignment: Alignment = .left, rank: Int? = nil) {
      self.title = title
      self.alignment = alignment
      self.rank = rank
    }
  }

  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    /// The text where there is little room; as a rule the same.
    var shortText: String
    var emphasis: Emphasis?

    init(_ text: String, _ emphasis: Emphasis? = nil, short: String? = nil) {
      self.text = text.terminalSafe
      shortText = short?.terminalSafe ?? self.text
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
    guard let width = style.width, self.width > width else { return text(style) }
    var narrow = self
    for row in rows.indices {
      for column in columns.indices { narrow.rows[row][column].text = rows[row][column].shortText }
    }
    var left: [String] = []
    while narrow.width > width,
      let (column, _) = narrow.columns.enumerated().filter({ $0.element.rank != nil })
        .max(by: { ($0.element.rank ?? 0) < ($1.element.rank ?? 0) })
    {
      left.append(narrow.columns.remove(at: column).title)
      for row in rows.indices { narrow.rows[row].remove(at: column) }
    }
    let table = narrow.text(style)
    return left.isEmpty
      ? table : table + "\nLeft out (--wide): \(left.joined(separator: ", ")).\n"
  }

  private var lines: [[Cell]] {
    (showsTitles ? [columns.map { Cell($0.title) }] : []) + rows
  }

  private var widths: [Int] {
    let lines = lines
    return columns.indices.map { column in
      lines.map { $0[column].text.displayWidth }.max() ?? 0
    }
  }

  private var width: Int {
    widths.reduce(0, +) + 2 * max(0, columns.count - 1) + indent.displayWidth
  }

  private func text(_ style: TextStyle) -> String {
    let widths = widths
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
