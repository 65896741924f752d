import Foundation
import VigilModel
import Yams

/// Reads the settings of a JSON or YAML file.
enum ConfigFile {
  /// The variable that names the file where `--config` does not.
  static let environment = "VIGIL_CONFIG"

  /// - Throws: `SettingsError`, with status 65 where the file cannot be read or parsed.
  static func read(path: String) throws -> [SettingKey: SettingValue] {
    let bytes = try contents(path: path)
    let value: JSONValue?
    switch URL(filePath: path).pathExtension.lowercased() {
    case "json": value = try? JSONValue(parsing: bytes)
    case "yaml", "yml":
      value = (try? Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))).map(JSONValue.init)
    default:
      throw SettingsError(["config file \(path): its name has to end in .json, .yaml or .yml"])
    }
    guard case .object(let object) = value else {
      throw SettingsError(
        ["config file \(path): no valid mapping of keys to values; fix its syntax"],
        status: .badData)
    }
    return try values(of: object, path: path)
  }

  private static func contents(path: String) throws -> [UInt8] {
    let place = CommandSurroundings.current.path(of: path)
    do {
      return Array(try Data(contentsOf: URL(filePath: place)))
    } catch {
      let isThere = FileManager.default.fileExists(atPath: place)
      throw SettingsError(
        [
          isThere
            ? "config file \(path): cannot be read; check its permissions"
            : "config file \(path): there is no such file; check --config and VIGIL_CONFIG"
        ], status: .badData)
    }
  }

  private static func values(
    of object: [String: JSONValue], path: String
  ) throws -> [SettingKey: SettingValue] {
    var values: [SettingKey: SettingValue] = [:]
    var problems: [String] = []
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      guard let key = SettingDeclarations.keys.first(where: { $0.name == name }) else {
        let known = SettingDeclarations.keys.map(\.name)
        let nearest = NearestName.of(name, among: known).map { "did you mean \($0)?" }
        problems.append(
          "config file \(path): unknown key '\(name)'; "
            + (nearest ?? "known are \(known.joined(separator: ", "))"))
        continue
      }
      guard let text = text(of: key, in: value) else {
        problems.append(
          "config file \(path): \(name) has to be one value: \(key.allowed)")
        continue
      }
      values[key] = SettingValue(text: text, source: .file(path))
    }
    guard problems.isEmpty else { throw SettingsError(problems) }
    return values
  }

  /// A text, or a number or a truth value where the setting is one.
  private static func text(of setting: SettingKey, in value: JSONValue) -> String? {
    if let text = value.text { return text }
    switch setting.kind {
    case .boolean: return value.flag.map { String($0) }
    case .number: return value.whole.map { String($0) } ?? value.finite.map { String($0) }
    case .text: return nil
    }
  }
}

extension JSONValue {
  /// The value of a YAML document as JSON has it.
  fileprivate init(_ node: Node) {
    switch node {
    case .mapping(let mapping):
      self = .object(
        Dictionary(mapping.map { ($0.scalar?.string ?? "", JSONValue($1)) }) { first, _ in first })
    case .sequence(let sequence): self = .array(sequence.map { JSONValue($0) })
    case .scalar, .alias:
      switch node.any {
      case let flag as Bool: self = .boolean(flag)
      case let number as Int: self = .number(Double(number))
      case let number as Double: self = .number(number)
      case is NSNull: self = .null
      default: self = .string(node.string ?? "")
      }
    }
  }
}
