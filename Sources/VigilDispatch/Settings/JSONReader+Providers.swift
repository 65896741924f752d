import VigilModel

extension JSONReader {
  /// A text that is not empty; complains about another value and returns nil for it.
  ///
  /// - Parameter meaning: What is missing where the key is; nil where it may be.
  func text(_ key: String, needed meaning: String? = nil) -> String? {
    guard value(key) != nil else {
      if let meaning { complain(key, "is missing; it is \(meaning)") }
      return nil
    }
    guard let text = string(key) else { return nil }
    if text.isEmpty { complain(key, "must not be empty") }
    return text.isEmpty ? nil : text
  }

  /// Texts that are not empty, one at least; complains about another value and returns nil for it.
  func texts(_ key: String) -> [String]? {
    guard let value = value(key) else { return nil }
    let texts = value.elements?.compactMap(\.text) ?? []
    guard let elements = value.elements, !elements.isEmpty, texts.count == elements.count,
      !texts.contains("")
    else {
      complain(key, "must be a list of strings, with one at least and none empty")
      return nil
    }
    return texts
  }

  /// A number in a range; complains about another value and returns nil for it.
  func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
    func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
    return number(
      key, in: range,
      what: "must be a number from \(shown(range.lowerBound)) to \(shown(range.upperBound))")
  }

  /// A whole number in a range; complains about another value and returns nil for it.
  func whole(_ key: String, in range: ClosedRange<Int>) -> Int? {
    var number = range.lowerBound - 1
    integer(key, in: range, into: &number)
    return number < range.lowerBound ? nil : number
  }

  func truth(_ key: String) -> Bool? {
    guard value(key) != nil else { return nil }
    var truth = false
    boolean(key, into: &truth)
    return truth
  }

  /// The keys `NAME_file` and `NAME_variable`, of which there is one at most.
  func secret(_ name: String) -> SecretSource? {
    let file = text("\(name)_file")
    guard let variable = text("\(name)_variable") else { return file.map { .file($0) } }
    if file != nil { complain("\(name)_variable", "excludes \(name)_file; give one of them") }
    if variable.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
      complain("\(name)_variable", "must be the name of a variable, such as MAIL_PASSWORD")
    }
    return .variable(variable)
  }
}
