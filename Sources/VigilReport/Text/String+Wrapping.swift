extension String {
  /// The words of the text in lines of at most `width` columns; a longer word has a line of its own.
  func wrapped(width: Int = 79) -> String {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.displayWidth + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension TextStyle {
  /// A whole text whose lines keep to the width of the terminal; the same where it has none.
  ///
  /// A longer line goes on below the beginning of its last column, so that columns stay apart. No word is
  /// broken; one that is too long for what is left of the line begins further left.
  public func fitted(_ text: String) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { fitted(line: String($0), width) }.joined(separator: "\n")
  }

  /// A narrower last column would have a word a line; its text goes on at the left instead.
  private static let narrowestColumn = 24

  private func fitted(line: String, _ width: Int) -> String {
    guard visibleWidth(line) > width else { return line }
    // Columns are at least two spaces apart, words of a text one.
    let start = line.ranges(of: /[ ]{2,}/).last?.upperBound ?? line.startIndex
    var indent = visibleWidth(String(line[..<start]))
    if indent > width - Self.narrowestColumn {
      indent = visibleWidth(String(line.prefix { $0 == " " })) + 2
    }
    var lines = [""]
    var isFirstWord = true
    for word in line.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      let longer = lines[lines.count - 1] + (isFirstWord ? "" : " ") + word
      if isFirstWord || visibleWidth(longer) <= width {
        lines[lines.count - 1] = longer
      } else if !word.isEmpty {
        let room = max(0, min(indent, width - visibleWidth(word)))
        lines.append(String(repeating: " ", count: room) + word)
      }
      isFirstWord = false
    }
    return lines.map { $0.replacing(/[ ]+$/, with: "") }.joined(separator: "\n")
  }

  /// The columns of a text without its colours.
  private func visibleWidth(_ text: String) -> Int {
    usesColor
      ? text.replacing(/\u{1B}\[[0-9;]*m/, with: "").displayWidth : text.displayWidth
  }
}
