/// A value that has a form in JSON.
package protocol JSONRepresentable {
  var json: JSONValue { get }
}

/// The fields of a JSON object: each is there, and a value that is not known is null.
package struct JSONFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  private var values: [String: JSONValue]

  package init(dictionaryLiteral fields: (String, any JSONRepresentable)...) {
    values = Dictionary(
      fields.map { ($0, $1.json) }, uniquingKeysWith: { _, _ in preconditionFailure("a key twice") }
    )
  }

  /// Adds the fields of another; those that are there already get its values.
  package mutating func add(_ other: JSONFields) { values.merge(other.values) { $1 } }

  package static func + (left: JSONFields, right: JSONFields) -> JSONFields {
    var sum = left
    sum.add(right)
    return sum
  }

  /// The fields without some of them.
  package func without(_ names: Set<String>) -> JSONFields {
    var rest = self
    for name in names { rest.values[name] = nil }
    return rest
  }

  /// Sets a field.
  package subscript(name: String) -> any JSONRepresentable {
    get { values[name] ?? .null }
    set { values[name] = newValue.json }
  }
}

extension JSONFields: JSONRepresentable, Encodable {
  package var json: JSONValue { .object(values) }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension JSONValue: JSONRepresentable {
  package var json: JSONValue { self }
}

extension Bool: JSONRepresentable {
  package var json: JSONValue { .boolean(self) }
}

extension Int: JSONRepresentable {
  package var json: JSONValue { .number(Double(self)) }
}

/// JSON has no number that is not finite: it is null.
extension Double: JSONRepresentable {
  package var json: JSONValue { isFinite ? .number(self) : .null }
}

extension String: JSONRepresentable {
  package var json: JSONValue { .string(self) }
}

extension Day: JSONRepresentable {
  package var json: JSONValue { .string(description) }
}

extension Timestamp: JSONRepresentable {
  package var json: JSONValue { .string(description) }
}

extension UUID: JSONRepresentable {
  package var json: JSONValue { .string(lowercased) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
  package var json: JSONValue { self?.json ?? .null }
}

extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
  package var json: JSONValue { .object(mapValues(\.json)) }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
  package var json: JSONValue { .array(map(\.json)) }
}
