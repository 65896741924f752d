import Configuration
import Foundation
import Synchronization
import VigilModel

/// Reads the settings of a JSON or YAML file.
enum ConfigFile {
  /// The variable that names the file where `--config` does not.
  static let environment = "VIGIL_CONFIG"

  /// - Throws: `SettingsError`, with status 65 where the file cannot be read or parsed.
  static func read(path: String) throws -> [SettingKey: SettingValue] {
    let bytes = try contents(path: path)
    let keys = KeyCollector()
    let snapshot: any ConfigSnapshot
    do {
      switch URL(filePath: path).pathExtension.lowercased() {
      case "json":
        snapshot = try JSONSnapshot(
          data: bytes.span.bytes, providerName: path,
          parsingOptions: .init(
            secretsSpecifier: .dynamic { key, _ in keys.insert(key) }))
      case "yaml", "yml":
        snapshot = try YAMLSnapshot(
          data: bytes.span.bytes, providerName: path,
          parsingOptions: .init(
            secretsSpecifier: .dynamic { key, _ in keys.insert(key) }))
      default:
        throw SettingsError([
          "config file \(path): its name has to end in .json, .yaml or .yml"
        ])
      }
    } catch let error as SettingsError {
      throw error
    } catch {
      throw SettingsError(
        ["config file \(path): no valid mapping of keys to values; fix its syntax"],
        status: .badData)
    }
    return try values(of: snapshot, keys: keys.sorted, path: path)
  }

  private static func contents(path: String) throws -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw SettingsError(
        [
          isThere
            ? "config file \(path): cannot be read; check its permissions"
            : "config file \(path): there is no such file; check --config and VIGIL_CONFIG"
        ], status: .badData)
    }
  }

  private static func values(
    of snapshot: any ConfigSnapshot, keys: [String], path: String
  ) throws -> [SettingKey: SettingValue] {
    var values: [SettingKey: SettingValue] = [:]
    var problems: [String] = []
    for name in keys {
      guard let key = SettingDeclarations.keys.first(where: { $0.name == name }) else {
        let known = SettingDeclarations.keys.map(\.name)
        let nearest = NearestName.of(name, among: known).map { "did you mean \($0)?" }
        problems.append(
          "config file \(path): unknown key '\(name)'; "
            + (nearest ?? "known are \(known.joined(separator: ", "))"))
        continue
      }
      guard let text = text(of: key, in: snapshot) else {
        problems.append(
          "config file \(path): \(name) has to be one value: \(key.allowed)")
        continue
      }
      values[key] = SettingValue(text: text, source: .file(path))
    }
    guard problems.isEmpty else { throw SettingsError(problems) }
    return values
  }

  private static func text(of setting: SettingKey, in snapshot: any ConfigSnapshot) -> String? {
    let key = AbsoluteConfigKey([setting.name])
    func content(_ type: ConfigType) -> ConfigContent? {
      (try? snapshot.value(forKey: key, type: type))?.value?.content
    }
    if case .string(let text)? = content(.string) { return text }
    switch setting.kind {
    case .boolean:
      if case .bool(let value)? = content(.bool) { return String(value) }
    case .number:
      if case .double(let value)? = content(.double) { return String(value) }
    case .text:
      break
    }
    return nil
  }
}

/// Collects a file's keys from the one question that a snapshot asks about each of them.
private final class KeyCollector: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Always false: no key of the file is a secret.
  func insert(_ key: String) -> Bool {
    keys.withLock { _ = $0.insert(key) }
    return false
  }

  var sorted: [String] { keys.withLock { $0.sorted() } }
}
