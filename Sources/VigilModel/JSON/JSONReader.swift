/// Reads one JSON object key by key and keeps a list of everything that is wrong with it.
///
/// A reader of a nested object reports into the list of the outermost one, so that a file's
/// problems come out together.
package final class JSONReader {
  /// The problems of a whole file.
  package final class Report {
    package var problems: [ThresholdsError.Problem] = []

    package init() {}
  }

  package let path: String
  private let fields: [String: JSONValue]
  private let report: Report

  package init(_ fields: [String: JSONValue], path: String, report: Report) {
    self.fields = fields
    self.path = path
    self.report = report
  }

  package func complain(_ key: String? = nil, _ message: String) {
    let place = key.map { "\(path).\($0)" } ?? path
    report.problems.append(.init(path: place, message: message))
  }

  /// The keys of the object, ascending.
  package var keys: [String] { fields.keys.sorted() }

  /// Complains about every key that is not among `known`.
  package func allowOnly(_ known: [String]) {
    for key in keys where !known.contains(key) {
      complain(key, "unknown key; allowed are \(known.joined(separator: ", "))")
    }
  }

  package func value(_ key: String) -> JSONValue? { fields[key] }

  package func object(_ key: String) -> JSONReader? {
    fields[key].flatMap { object($0, at: key) }
  }

  /// Reads a value that is an element of a list; `key` names it with its index.
  package func object(_ value: JSONValue, at key: String) -> JSONReader? {
    guard case .object(let fields) = value else {
      complain(key, "must be an object, is \(value.kind)")
      return nil
    }
    return JSONReader(fields, path: "\(path).\(key)", report: report)
  }

  package func boolean(_ key: String, into target: inout Bool) {
    guard let value = fields[key] else { return }
    guard case .boolean(let flag) = value else {
      complain(key, "must be true or false, is \(value.kind)")
      return
    }
    target = flag
  }

  package func string(_ key: String) -> String? {
    guard let value = fields[key] else { return nil }
    guard case .string(let text) = value else {
      complain(key, "must be a string, is \(value.kind)")
      return nil
    }
    return text
  }

  package func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, into target: inout Word
  ) where Word.RawValue == String {
    guard let text = string(key) else { return }
    guard let word = Word(rawValue: text) else {
      let allowed = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      complain(key, "\"\(text)\" is not one of \(allowed)")
      return
    }
    target = word
  }

  package func integer(_ key: String, in range: ClosedRange<Int>, into target: inout Int) {
    guard let value = fields[key] else { return }
    if let number = integer(value, key: key, in: range) { target = number }
  }

  /// As `integer`, but `null` stands for none.
  package func optionalInteger(_ key: String, in range: ClosedRange<Int>, into target: inout Int?) {
    guard let value = fields[key] else { return }
    if case .null = value {
      target = nil
    } else if let number = integer(value, key: key, in: range) {
      target = number
    }
  }

  private func integer(_ value: JSONValue, key: String, in range: ClosedRange<Int>) -> Int? {
    guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole)
    else {
      complain(
        key,
        "must be a whole number from \(range.lowerBound) to \(range.upperBound), is "
          + Self.shown(value))
      return nil
    }
    return whole
  }

  /// A number within `range`; for anything else complains, naming it `what`, and returns nil.
  package func number(_ key: String, in range: ClosedRange<Double>, what: String) -> Double? {
    guard let value = fields[key] else { return nil }
    guard case .number(let number) = value, number.isFinite, range.contains(number) else {
      complain(key, "\(what), is \(Self.shown(value))")
      return nil
    }
    return number
  }

  /// As `number`, but `null` stands for none.
  package func optionalNumber(
    _ key: String, in range: ClosedRange<Double>, what: String, into target: inout Double?
  ) {
    if value(key) == .null {
      target = nil
    } else if let number = number(key, in: range, what: what) {
      target = number
    }
  }

  package static func shown(_ value: JSONValue) -> String {
    switch value {
    case .number(let number) where !number.isFinite: "a malformed or too large number"
    case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
    case .string(let text): "\"\(text)\""
    case .boolean(let flag): String(flag)
    case .null, .array, .object: value.kind
    }
  }
}

extension JSONReader {
  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - file: The name of the file in messages.
  ///   - build: Makes the value, and complains to the reader about everything that is wrong.
  /// - Throws: `ThresholdsError` with every problem the file has.
  package static func read<Value>(
    _ data: some Sequence<UInt8>, file: String, _ build: (JSONReader) -> Value
  ) throws -> Value {
    let root: JSONValue
    do {
      root = try JSONValue(parsing: data)
    } catch {
      throw ThresholdsError(
        file: file, problems: [.init(path: "$", message: "not valid JSON: \(error)")])
    }
    guard case .object(let fields) = root else {
      throw ThresholdsError(
        file: file, problems: [.init(path: "$", message: "must be an object, is \(root.kind)")])
    }
    let report = Report()
    let value = build(JSONReader(fields, path: "$", report: report))
    if !report.problems.isEmpty {
      throw ThresholdsError(file: file, problems: report.problems)
    }
    return value
  }

  /// The file's own name for itself, which every such file needs; empty where it has none.
  package func version(example: String) -> String {
    guard let version = string("version") else {
      if value("version") == nil {
        complain("version", "is missing; a short name such as \"\(example)\"")
      }
      return ""
    }
    if version.isEmpty { complain("version", "must not be empty") }
    return version
  }
}
