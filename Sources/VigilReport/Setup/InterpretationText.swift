import VigilModel

/// The meaning that `vigil import` found in a file, as lines for standard error.
public struct InterpretationText: Sendable {
  /// The name of the file.
  public var file: String
  /// The form of the file in words.
  public var form: [String]
  /// Each column that is read, and what it fills.
  public var columns: [(name: String, meaning: String)]
  /// The names of columns that are not read.
  public var ignored: [String]

  public init(
    file: String, form: [String], columns: [(name: String, meaning: String)], ignored: [String]
  ) {
    self.file = file
    self.form = form
    self.columns = columns
    self.ignored = ignored
  }

  /// At most 22 lines of at most 80 columns: a screen.
  public var lines: [String] {
    var lines = [
      (["\(file.terminalSafe.cut(to: 24)):"] + [form.joined(separator: ", ")])
        .joined(separator: " ")
    ]
    let most = 18
    let shown = columns.count <= most ? columns : Array(columns.prefix(most - 1))
    let names = shown.map { $0.name.terminalSafe.cut(to: 34) }
    let width = names.map(\.displayWidth).max() ?? 0
    for (name, column) in zip(names, shown) {
      let padding = String(repeating: " ", count: width - name.displayWidth)
      lines.append("  \(name)\(padding)  \(column.meaning.terminalSafe.cut(to: 76 - width))")
    }
    if shown.count < columns.count {
      lines.append("  and \(columns.count - shown.count) more columns")
    }
    if !ignored.isEmpty { lines += ignoredLines }
    return lines
  }

  /// Up to three lines; names that do not fit are counted.
  private var ignoredLines: [String] {
    var lines = ["  not read:"]
    for (index, name) in ignored.enumerated() {
      let isLast = index == ignored.count - 1
      let word = name.terminalSafe.cut(to: 34) + (isLast ? "" : ",")
      // The last line keeps room for the number of the others.
      let room = lines.count == 3 && !isLast ? 64 : 80
      if lines[lines.count - 1].displayWidth + 1 + word.displayWidth <= room {
        lines[lines.count - 1] += " " + word
      } else if lines.count < 3 {
        lines.append("    " + word)
      } else {
        lines[lines.count - 1] += " and \(ignored.count - index) more"
        break
      }
    }
    return lines
  }
}

extension String {
  /// The beginning of the text, with `…` at its end where it is longer than `width` columns.
  fileprivate func cut(to width: Int) -> String {
    guard displayWidth > width else { return self }
    var text = ""
    var used = 1
    for character in self {
      used += String(character).displayWidth
      if used > width { break }
      text.append(character)
    }
    return text + "…"
  }
}
