/// The words after a subcommand: options with a value each, and at most one word besides.
struct Arguments {
  private var values: [String: String] = [:]
  private var others: [String] = []

  init(_ words: [String], known: Set<String>) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        others.append(word)
        continue
      }
      let name = String(word.dropFirst(2))
      guard known.contains(name) else { throw QualityError("there is no option \(word)") }
      guard let value = rest.popFirst() else { throw QualityError("\(word) needs a value") }
      values[name] = value
    }
    if others.count > 1 { throw QualityError("\(others[1]) is one word too many") }
  }

  func positional() throws -> String {
    guard let word = others.first else { throw QualityError("the folder is missing") }
    return word
  }

  func optional(_ name: String) -> String? { values[name] }

  func value(_ name: String) throws -> String {
    guard let value = values[name] else { throw QualityError("--\(name) is missing") }
    return value
  }

  func number(_ name: String, default fallback: Int) throws -> Int {
    guard let text = values[name] else { return fallback }
    guard let number = Int(text), number > 0 else {
      throw QualityError("--\(name) \(text): give a whole number above 0")
    }
    return number
  }
}
