import Foundation
import VigilModel
import Yams

/// Reads the settings of a JSON or YAML file.
enum ConfigFile {
  /// The variable that names the file where `--config` does not.
  static let environment = "VIGIL_CONFIG"

  /// - Throws: `SettingsError`, with status 65 where the file cannot be read or parsed.
  static func read(path: String) throws -> [SettingKey: SettingValue] {
    guard ["json", "yaml", "yml"].contains(URL(filePath: path).pathExtension.lowercased()) else {
      throw SettingsError(["config file \(path): its name has to end in .json, .yaml or .yml"])
    }
    let text = String(decoding: try contents(path: path), as: UTF8.self)
    // JSON is YAML, too (YAML 1.2, section 1.3).
    guard let mapping = (try? Yams.compose(yaml: text))?.mapping else {
      throw SettingsError(
        ["config file \(path): no valid mapping of keys to values; fix its syntax"],
        status: .badData)
    }
    return try values(of: mapping, path: path)
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
    of mapping: Node.Mapping, path: String
  ) throws -> [SettingKey: SettingValue] {
    var values: [SettingKey: SettingValue] = [:]
    var problems: [String] = []
    for (name, value) in mapping.map({ ($0.scalar?.string ?? "", $1) }).sorted(by: { $0.0 < $1.0 })
    {
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
  private static func text(of setting: SettingKey, in value: Node) -> String? {
    if let text = value.any as? String { return text }
    switch setting.kind {
    case .boolean: return value.bool.map { String($0) }
    case .number: return (value.any as? Int).map { String($0) } ?? value.float.map { String($0) }
    case .text: return nil
    }
  }
}
