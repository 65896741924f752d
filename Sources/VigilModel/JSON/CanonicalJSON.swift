/// Encodes values as JSON of which there is one text for equal values.
///
/// Keys are in order of their bytes, nothing stands between the tokens, and numbers are as Swift prints
/// them: `{"detail":"reference","deviation":-1.0}`. Foundation's encoder prints -1.0 as -1.
public enum CanonicalJSON {
  /// Returns the text of a value.
  ///
  /// - Throws: `EncodingError` for a number that is infinite or none, or what the value itself throws.
  /// - Complexity: O(n log n) for an object of n members.
  public static func text(of value: some Encodable) throws -> String {
    let root = JSONNode()
    try root.set(value, at: [])
    var text = ""
    root.write(to: &text)
    return text
  }
}

/// A value of the document that is being built.
private final class JSONNode {
  private enum Content {
    case null
    case literal(String)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  private var content = Content.null

  var elementCount: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  /// Becomes an object, unless it is one.
  func makeObject() {
    if case .object = content { return }
    content = .object([:])
  }

  /// Becomes an array, unless it is one.
  func makeArray() {
    if case .array = content { return }
    content = .array([])
  }

  func member(_ key: String) -> JSONNode {
    let node = JSONNode()
    if case .object(var members) = content {
      content = .null
      members[key] = node
      content = .object(members)
    }
    return node
  }

  func element() -> JSONNode {
    let node = JSONNode()
    if case .array(var elements) = content {
      content = .null
      elements.append(node)
      content = .array(elements)
    }
    return node
  }

  func set(_ value: some Encodable, at path: [any CodingKey]) throws {
    switch value {
    case let text as String: content = .string(text)
    case let truth as Bool: content = .literal(truth ? "true" : "false")
    case let number as any BinaryInteger: content = .literal("\(number)")
    case let number as any BinaryFloatingPoint:
      guard number.isFinite else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: "JSON has no such number"))
      }
      content = .literal("\(number)")
    default: try value.encode(to: JSONNodeEncoder(node: self, codingPath: path))
    }
  }

  func setNull() { content = .null }

  func write(to text: inout String) {
    switch content {
    case .null: text += "null"
    case .literal(let literal): text += literal
    case .string(let string): text += JSONString.quoted(string)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.sorted(by: { Self.isBefore($0.key, $1.key) }).enumerated() {
        if index > 0 { text += "," }
        text += JSONString.quoted(member.key)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

private struct JSONNodeEncoder: Encoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.makeObject()
    return KeyedEncodingContainer(JSONMembers(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.makeArray()
    return JSONElements(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleValue(node: node, codingPath: codingPath)
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { node.member(key.stringValue).setNull() }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try node.member(key.stringValue).set(value, at: codingPath + [key])
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    JSONNodeEncoder(node: node.member("super"), codingPath: codingPath)
  }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(forKey: key) }

  private func encoder(forKey key: Key) -> JSONNodeEncoder {
    JSONNodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var count: Int { node.elementCount }

  func encodeNil() { node.element().setNull() }

  func encode(_ value: some Encodable) throws { try node.element().set(value, at: codingPath) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> JSONNodeEncoder {
    JSONNodeEncoder(node: node.element(), codingPath: codingPath)
  }
}

private struct JSONSingleValue: SingleValueEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]

  func encodeNil() { node.setNull() }

  func encode(_ value: some Encodable) throws { try node.set(value, at: codingPath) }
}
