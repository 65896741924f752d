public import Foundation

/// JSON as it stands in a file; booleans and numbers are different values.
public enum JSON: Decodable, Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  public init(text: String) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: file))
  }

  /// The members of an object; none for anything else.
  public var members: [String: JSON] {
    if case .object(let members) = self { members } else { [:] }
  }

  /// The elements of an array; none for anything else.
  public var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  public subscript(key: String) -> JSON? { members[key] }
}
