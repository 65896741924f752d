public import Foundation

/// A checker for the part of JSON Schema, draft 2020-12, that the schemas of this repository use.
///
/// A keyword it does not know is a problem of its own, so that no part of a schema goes unchecked.
public struct JSONSchema: Sendable {
  public let root: JSON

  public init(_ root: JSON) {
    self.root = root
  }

  public init(contentsOf file: URL) throws {
    root = try JSON(contentsOf: file)
  }

  /// The faults of `value`, each with its path; empty when it fits.
  public func problems(of value: JSON) -> [String] {
    problems(of: value, at: "$", under: root)
  }

  private func problems(of value: JSON, at path: String, under schema: JSON) -> [String] {
    var problems: [String] = []
    for (keyword, argument) in schema.members {
      problems += check(value, at: path, keyword, argument, in: schema)
    }
    return problems.sorted()
  }

  private func fits(_ value: JSON, _ schema: JSON) -> Bool {
    problems(of: value, at: "$", under: schema).isEmpty
  }

  private func check(
    _ value: JSON, at path: String, _ keyword: String, _ argument: JSON, in schema: JSON
  ) -> [String] {
    switch keyword {
    case "$schema", "$defs", "title", "description", "default", "then", "else": return []
    case "$ref":
      guard let name = argument.string?.split(separator: "/").last,
        let target = root["$defs"]?[String(name)]
      else { return ["\(path): the schema has no \(argument)"] }
      return problems(of: value, at: path, under: target)
    case "anyOf":
      let matches = argument.elements.contains { fits(value, $0) }
      return matches ? [] : ["\(path): none of anyOf"]
    case "oneOf":
      let matches = argument.elements.count { fits(value, $0) }
      return matches == 1 ? [] : ["\(path): \(matches) of oneOf"]
    case "if":
      guard let next = schema[fits(value, argument) ? "then" : "else"] else { return [] }
      return problems(of: value, at: path, under: next)
    case "type":
      let types = argument.string.map { [$0] } ?? argument.elements.compactMap(\.string)
      return types.contains { Self.has(value, type: $0) } ? [] : ["\(path): type"]
    case "const": return value == argument ? [] : ["\(path): const"]
    case "enum": return argument.elements.contains(value) ? [] : ["\(path): enum"]
    default: break
    }
    return switch value {
    case .object(let members): check(members, at: path, keyword, argument, in: schema)
    case .array(let elements): check(elements, at: path, keyword, argument)
    case .string(let text): check(text, at: path, keyword, argument)
    case .number(let number): check(number, at: path, keyword, argument)
    case .null, .boolean: Self.isKnown(keyword) ? [] : ["\(path): unknown keyword \(keyword)"]
    }
  }

  private func check(
    _ members: [String: JSON], at path: String, _ keyword: String, _ argument: JSON,
    in schema: JSON
  ) -> [String] {
    switch keyword {
    case "required":
      return argument.elements.compactMap(\.string).filter { members[$0] == nil }
        .map { "\(path).\($0): required" }
    case "properties":
      return argument.members.flatMap { name, schema in
        members[name].map { problems(of: $0, at: "\(path).\(name)", under: schema) } ?? []
      }
    case "additionalProperties":
      return members.filter { schema["properties"]?[$0.key] == nil }.flatMap { name, value in
        argument == .boolean(false)
          ? ["\(path).\(name): additionalProperties"]
          : problems(of: value, at: "\(path).\(name)", under: argument)
      }
    case "propertyNames":
      return members.keys.flatMap {
        problems(of: .string($0), at: "\(path).\($0)", under: argument)
      }
    case "minProperties": return limit(members.count >= Self.count(argument), path, keyword)
    case "maxProperties": return limit(members.count <= Self.count(argument), path, keyword)
    default: return limit(Self.isKnown(keyword), path, "unknown keyword \(keyword)")
    }
  }

  private func check(
    _ elements: [JSON], at path: String, _ keyword: String, _ argument: JSON
  ) -> [String] {
    switch keyword {
    case "items":
      return elements.enumerated().flatMap { index, element in
        problems(of: element, at: "\(path)[\(index)]", under: argument)
      }
    case "minItems": return limit(elements.count >= Self.count(argument), path, keyword)
    case "maxItems": return limit(elements.count <= Self.count(argument), path, keyword)
    case "uniqueItems": return limit(Set(elements).count == elements.count, path, keyword)
    default: return limit(Self.isKnown(keyword), path, "unknown keyword \(keyword)")
    }
  }

  private func check(
    _ text: String, at path: String, _ keyword: String, _ argument: JSON
  ) -> [String] {
    switch keyword {
    case "minLength": return limit(text.count >= Self.count(argument), path, keyword)
    case "pattern":
      let expression = argument.string.flatMap { try? Regex($0) }
      return limit(expression.map { text.firstMatch(of: $0) != nil } ?? false, path, keyword)
    default: return limit(Self.isKnown(keyword), path, "unknown keyword \(keyword)")
    }
  }

  private func check(
    _ number: Double, at path: String, _ keyword: String, _ argument: JSON
  ) -> [String] {
    switch keyword {
    case "minimum": return limit(number >= argument.number ?? .nan, path, keyword)
    case "maximum": return limit(number <= argument.number ?? .nan, path, keyword)
    default: return limit(Self.isKnown(keyword), path, "unknown keyword \(keyword)")
    }
  }

  private func limit(_ holds: Bool, _ path: String, _ keyword: String) -> [String] {
    holds ? [] : ["\(path): \(keyword)"]
  }

  /// Keywords that say something about one type of value and nothing about the others.
  private static func isKnown(_ keyword: String) -> Bool {
    [
      "required", "properties", "additionalProperties", "propertyNames", "minProperties",
      "maxProperties", "items", "minItems", "maxItems", "uniqueItems", "minLength", "pattern",
      "minimum", "maximum",
    ].contains(keyword)
  }

  private static func count(_ argument: JSON) -> Int { argument.number.map { Int($0) } ?? -1 }

  private static func has(_ value: JSON, type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.boolean, "boolean"), (.string, "string"), (.array, "array"),
      (.object, "object"), (.number, "number"):
      true
    case (.number(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
