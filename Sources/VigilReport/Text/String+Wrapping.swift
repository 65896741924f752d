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
