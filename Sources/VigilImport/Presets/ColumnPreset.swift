public import Foundation
import VigilModel

/// The meaning of the columns that one device's or service's CSV files have.
///
/// A file in JSON, such as
///
/// ```json
/// {
///   "name": "my-watch", "source": "watch", "dates": "dmy",
///   "columns": { "Datum": "metric_date", "Schlaf (h)": "sleep_minutes:hours" }
/// }
/// ```
public struct ColumnPreset: Sendable, Hashable {
  /// The name to choose it by.
  public var name: String
  /// The files that it is for, in a line; empty where the preset does not say.
  public var about: String
  /// The address of a public description of the files.
  public var documentation: String?
  /// The source of all rows; nil where a column or the user has it.
  public var source: String?
  /// The form of the dates; nil to find it.
  public var dates: DateForm?
  /// The decimal mark; nil to find it.
  public var decimals: DecimalMark?
  /// Whether a row without a date says nothing, and is no fault.
  public var skipsRowsWithoutDate: Bool
  /// The rule for several rows of one day; nil where they contradict each other.
  public var sameDay: SameDayRule?
  /// The columns in which 0 stands for no value.
  public var missingZeros: Set<String>
  var columns: [ColumnAssignment]

  /// Reads a preset.
  ///
  /// - Parameters:
  ///   - json: The contents of the file.
  ///   - file: Its name in errors.
  /// - Throws: `ImportError` with code `.badData` about the first thing that is wrong.
  public init(json: Data, file: String) throws {
    let found: Any
    do {
      found = try JSONSerialization.jsonObject(with: json)
    } catch {
      throw ImportError(.badData, "preset \(file): the file is not JSON")
    }
    guard let object = found as? [String: Any] else {
      throw ImportError(.badData, "preset \(file): the file is no JSON object")
    }
    for key in object.keys.sorted() where !Self.keys.contains(key) {
      let nearest = NearestName.of(key, among: Self.keys).map { "; did you mean '\($0)'?" } ?? ""
      throw ImportError(.badData, "preset \(file): unknown key '\(key)'\(nearest)")
    }
    func value<Value>(_ key: String, _ noun: String, as type: Value.Type) throws -> Value? {
      guard let value = object[key] else { return nil }
      guard let value = value as? Value else {
        throw ImportError(.badData, "preset \(file): '\(key)' is not \(noun)")
      }
      return value
    }
    func word<Word: RawRepresentable & CaseIterable>(
      _ key: String, as type: Word.Type
    ) throws -> Word? where Word.RawValue == String {
      guard let text = try value(key, "a text", as: String.self) else { return nil }
      guard let word = Word(rawValue: text) else {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw ImportError(.badData, "preset \(file): '\(key)' is none of \(words)")
      }
      return word
    }
    name = try value("name", "a text", as: String.self) ?? file
    about = try value("about", "a text", as: String.self) ?? ""
    documentation = try value("documentation", "a text", as: String.self)
    source = try value("source", "a text", as: String.self)
    dates = try word("dates", as: DateForm.self)
    decimals = try word("decimals", as: DecimalMark.self)
    skipsRowsWithoutDate =
      try value("skips_rows_without_date", "true or false", as: Bool.self) ?? false
    sameDay = try word("same_day", as: SameDayRule.self)
    guard
      let columns = try value("columns", "an object of texts", as: [String: String].self),
      !columns.isEmpty
    else { throw ImportError(.badData, "preset \(file): it has no columns") }
    missingZeros = Set(try value("missing_zeros", "a list of texts", as: [String].self) ?? [])
    for name in missingZeros.sorted() where columns[name] == nil {
      throw ImportError(
        .badData, "preset \(file): 'missing_zeros' names '\(name)', which is none of its columns")
    }
    self.columns = try columns.sorted { $0.key < $1.key }.map { column, target in
      do {
        return try ColumnAssignment(column: column, target: target)
      } catch let error as ImportError {
        throw ImportError(.badData, "preset \(file): column '\(column)': \(error.message)")
      }
    }
    guard self.columns.contains(where: { $0.role == .day }) else {
      throw ImportError(.badData, "preset \(file): no column is metric_date")
    }
  }

  private static let keys = [
    "name", "about", "documentation", "source", "dates", "decimals", "skips_rows_without_date",
    "missing_zeros", "same_day", "columns",
  ]
}

extension ColumnPreset {
  /// The presets that come with Vigil, by name.
  public static func shipped() throws -> [ColumnPreset] {
    try [
      ("fitbit-daily", PackageResources.fitbit_daily_json),
      ("mydatahelps-fitbit", PackageResources.mydatahelps_fitbit_json),
      ("whoop-cycles", PackageResources.whoop_cycles_json),
    ].map { name, text in try ColumnPreset(json: Data(text.utf8), file: name) }
  }

  /// The preset with this name, or in the file with this path.
  ///
  /// A text with a slash or the ending `.json` is a path.
  ///
  /// - Parameters:
  ///   - text: The name or the path.
  ///   - currentFolder: The folder where a relative path begins; nil for the current one of the process.
  /// - Throws: `ImportError` with code `.usage` where there is none, and with `.badData` about the file.
  public static func named(
    _ text: String, in currentFolder: String? = nil
  ) throws -> ColumnPreset {
    if text.contains("/") || text.hasSuffix(".json") {
      guard let data = FileManager.default.contents(atPath: text.path(startingIn: currentFolder))
      else {
        throw ImportError(
          .usage, "cannot read the preset \(text); check its name and permissions")
      }
      return try ColumnPreset(json: data, file: fileName(text))
    }
    let presets = try shipped()
    if let preset = presets.first(where: { $0.name == text }) { return preset }
    let names = presets.map(\.name)
    let nearest = NearestName.of(text, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ImportError(
      .usage,
      "there is no preset '\(text)'\(nearest); it is one of \(names.joined(separator: ", ")), or a"
        + " file such as ./my-watch.json")
  }
}
