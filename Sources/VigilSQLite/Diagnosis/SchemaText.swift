/// The text of a CREATE statement as SQLite keeps it, without what does not matter: comments, the way in
/// which it is broken into lines, and quotes around names.
struct SchemaText {
  let words: [String]

  init(_ sql: String) {
    var words: [String] = []
    var rest = Substring(sql)
    while let first = rest.first {
      let word: Substring
      switch first {
      case _ where first.isWhitespace:
        rest = rest.drop(while: \.isWhitespace)
        continue
      case "-" where rest.hasPrefix("--"):
        rest = rest.drop { !$0.isNewline }
        continue
      case "/" where rest.hasPrefix("/*"):
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
        continue
      case "'", "\"":
        let end = rest.dropFirst().firstIndex(of: first) ?? rest.index(before: rest.endIndex)
        word = rest[...end]
      case _ where first.isPartOfName:
        word = rest.prefix(while: \.isPartOfName)
      default:
        word = rest.prefix(1)
      }
      rest = rest[word.endIndex...]
      words.append(first == "\"" ? String(word.dropFirst().dropLast()) : String(word))
    }
    self.words = words
  }

  /// The words in one line.
  var normalized: String { words.joined(separator: " ") }

  /// The text between the outermost parentheses, split at its commas, and the text after them.
  var parts: (definitions: [ArraySlice<String>], options: String) {
    var definitions: [ArraySlice<String>] = []
    var depth = 0
    var start = 0
    for (index, word) in words.enumerated() {
      switch word {
      case "(":
        depth += 1
        if depth == 1 { start = index + 1 }
      case ")":
        depth -= 1
        guard depth == 0 else { continue }
        definitions.append(words[start..<index])
        return (definitions, words[(index + 1)...].joined(separator: " "))
      case "," where depth == 1:
        definitions.append(words[start..<index])
        start = index + 1
      default: break
      }
    }
    return (definitions, "")
  }
}

extension Character {
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "." }
}
