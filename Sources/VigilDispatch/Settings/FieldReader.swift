import VigilDelivery

/// Reads the fields of a JSON object, and collects what is wrong with them.
struct FieldReader {
  /// As messages name it, such as `channels.push.`.
  let place: String
  private(set) var problems: [String] = []
  private let fields: [String: ForeignJSON]
  private var known: Set<String> = []

  init(_ fields: [String: ForeignJSON], at place: String) {
    self.fields = fields
    self.place = place
  }

  mutating func report(_ name: String, _ problem: String) {
    problems.append("\(place)\(name): \(problem)")
  }

  /// Takes over the problems of a part, when it has been read.
  mutating func take(_ part: FieldReader) {
    var part = part
    part.finish()
    problems += part.problems
  }

  /// Reports fields that nothing has asked for.
  mutating func finish() {
    for name in fields.keys.sorted() where !known.contains(name) {
      report(name, "there is no such key; there are \(known.sorted().joined(separator: ", "))")
    }
  }

  private mutating func field(_ name: String) -> ForeignJSON? {
    known.insert(name)
    return fields[name]
  }

  mutating func string(_ name: String) -> String? {
    guard let value = field(name) else { return nil }
    if case .string(let text) = value, !text.isEmpty { return text }
    report(name, "has to be a text")
    return nil
  }

  mutating func boolean(_ name: String) -> Bool? {
    guard let value = field(name) else { return nil }
    if case .boolean(let truth) = value { return truth }
    report(name, "has to be true or false")
    return nil
  }

  mutating func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
    guard let value = field(name) else { return nil }
    switch value {
    case .integer(let number) where range.contains(Double(number)): return Double(number)
    case .number(let number) where range.contains(number): return number
    default:
      report(
        name,
        "has to be a number from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
      return nil
    }
  }

  mutating func object(_ name: String) -> [String: ForeignJSON]? {
    guard let value = field(name) else { return nil }
    if case .object(let fields) = value { return fields }
    report(name, "has to be an object")
    return nil
  }

  mutating func strings(_ name: String) -> [String]? {
    guard let value = field(name) else { return nil }
    if case .array(let values) = value {
      let texts = values.compactMap { value -> String? in
        if case .string(let text) = value { return text }
        return nil
      }
      if texts.count == values.count, !texts.isEmpty { return texts }
    }
    report(name, "has to be a list of texts")
    return nil
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}
