import Foundation
import Mustache
import VigilModel
public import VigilStorage
import VigilWords

/// The words of notifications, as Mustache templates of each language.
///
/// A language is a JSON file, such as `en.json`:
///
/// ```json
/// {
///   "metrics": {"steps": "steps"}, "other_metric": "a measurement",
///   "sentences": {"lower": "{{metric}}: lower than usual for {{days}}"},
///   "reference": {"subject": "A notification", "text": "Open the app to read it."},
///   "messages": {"pattern_alert.level_3": {"subject": "{{headline}}", "text": "{{sentence}}."}}
/// }
/// ```
///
/// A file of a folder replaces the shipped one key by key.
public struct MessageCatalog: Sendable {
  private var languages: [String: Language]
  private let fallback: String

  /// The shipped languages.
  public static let shippedLanguages = ["de", "en", "es"]

  /// The file name's end, and the largest size, of a language.
  private static let largestFile = 1 << 20

  /// Reads the shipped languages, and those of `folder` over them.
  ///
  /// - Parameters:
  ///   - folder: Files `LANGUAGE.json`; nil for the shipped ones alone.
  ///   - currentFolder: The folder where a relative path begins; nil for the current one of the process.
  ///   - fallback: The language of recipients who have chosen none, or one that there is not.
  /// - Throws: `MessageFault`.
  public init(
    folder: String? = nil, in currentFolder: String? = nil, fallback: String = "en"
  ) throws {
    let shipped = [
      "de": PackageResources.de_json, "en": PackageResources.en_json,
      "es": PackageResources.es_json,
    ]
    var sources: [String: LanguageSource] = [:]
    for (name, text) in shipped {
      var source = try LanguageSource(data: Data(text.utf8), named: "\(name).json")
      if let words = WordsSource.shipped[name] { source.words = words }
      sources[name] = source
    }
    if let folder {
      for (name, own) in try Self.sources(in: folder, at: folder.path(startingIn: currentFolder)) {
        sources[name] = (sources[name] ?? sources["en"])?.replacing(with: own) ?? own
      }
    }
    guard sources[fallback] != nil else {
      throw MessageFault(
        "there are no messages in the language \(fallback); there are \(sources.keys.sorted().joined(separator: ", "))"
      )
    }
    self.fallback = fallback
    languages = try Dictionary(
      uniqueKeysWithValues: sources.map { ($0.key, try Language($0.value, named: $0.key)) })
  }

  private static func sources(in folder: String, at place: String) throws -> [String:
    LanguageSource]
  {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place)
    } catch {
      throw MessageFault(
        "the folder of messages \(folder) cannot be read; check its name and permissions")
    }
    var sources: [String: LanguageSource] = [:]
    for name in names.sorted() where name.hasSuffix(".json") {
      let path = "\(folder)/\(name)"
      guard let data = FileManager.default.contents(atPath: "\(place)/\(name)"),
        data.count <= largestFile
      else {
        throw MessageFault("\(path) cannot be read, or is larger than 1 MiB")
      }
      let language = String(name.dropLast(".json".count))
      // Mail names it in a header.
      guard language.wholeMatch(of: /[a-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil else {
        throw MessageFault("\(path) is not named after a language, such as en.json or pt-BR.json")
      }
      sources[language] = try LanguageSource(data: data, named: path)
    }
    guard !sources.isEmpty else {
      throw MessageFault("the folder of messages \(folder) has no file such as en.json")
    }
    return sources
  }

  /// Returns the words of a row; nil where there are none for its template, or its payload is not of the schema.
  ///
  /// - Parameter preferred: The language of the recipient, such as `es` or `es-MX`; nil where none is chosen.
  public func message(for row: ClaimedNotification, in preferred: String? = nil) -> Message? {
    let name =
      [preferred, preferred.map { String($0.prefix { $0 != "-" }) }, fallback]
      .compactMap { $0 }.first { languages[$0] != nil } ?? fallback
    guard let language = languages[name] else { return nil }
    return language.message(for: row, named: name)
  }
}

/// A reason why messages cannot be used; holds no text of a message.
public struct MessageFault: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
