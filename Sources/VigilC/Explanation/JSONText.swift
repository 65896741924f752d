import VigilModel

/// A JSON document that is written key by key; every key is there, and a value that is not known is null.
struct JSONText {
  private(set) var text = ""
  private var needsComma = false

  mutating func object(_ name: String? = nil, _ fill: (inout JSONText) -> Void) {
    begin(name)
    enclose("{", "}", fill)
  }

  /// Adds an object, or null where there is no value.
  mutating func object<Value>(
    _ name: String, _ value: Value?, _ fill: (inout JSONText, Value) -> Void
  ) {
    guard let value else { return add(name, literal: "null") }
    object(name) { fill(&$0, value) }
  }

  mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ fill: (inout JSONText, Element) -> Void
  ) {
    begin(name)
    enclose("[", "]") { json in
      for element in elements { json.object { fill(&$0, element) } }
    }
  }

  mutating func array(_ name: String, _ numbers: [Double]) {
    add(name, literal: "[" + numbers.map(Self.literal).joined(separator: ",") + "]")
  }

  mutating func array(_ name: String, _ numbers: [Int]?) {
    add(
      name,
      literal: numbers.map { "[" + $0.map(\.description).joined(separator: ",") + "]" } ?? "null")
  }

  mutating func add(_ name: String, _ value: String?) {
    add(name, literal: value.map(JSONString.quoted) ?? "null")
  }

  mutating func add(_ name: String, _ value: Double?) {
    add(name, literal: value.map(Self.literal) ?? "null")
  }

  mutating func add(_ name: String, _ value: Int?) {
    add(name, literal: value.map { "\($0)" } ?? "null")
  }

  mutating func add(_ name: String, _ value: Bool) {
    add(name, literal: value ? "true" : "false")
  }

  mutating func add(_ name: String, _ day: Day?) { add(name, day?.description) }

  private mutating func add(_ name: String, literal: String) {
    begin(name)
    text += literal
    needsComma = true
  }

  private mutating func begin(_ name: String?) {
    if needsComma { text += "," }
    if let name { text += JSONString.quoted(name) + ":" }
    needsComma = false
  }

  private mutating func enclose(
    _ opening: String, _ closing: String, _ fill: (inout JSONText) -> Void
  ) {
    text += opening
    needsComma = false
    fill(&self)
    text += closing
    needsComma = true
  }

  /// The shortest text that is read as the same number; JSON has none for what is not finite.
  private static func literal(_ number: Double) -> String {
    number.isFinite ? number.description : "null"
  }
}
