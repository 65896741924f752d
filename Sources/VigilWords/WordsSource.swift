import Foundation

/// The words of one language for sentences about alerts, as its file has them.
public struct WordsSource: Hashable, Sendable, Decodable {
  /// Words for metrics as they are in the middle of a sentence, by their names.
  public var metrics: [String: String]
  /// The word for a metric without one.
  public var otherMetric: String
  /// By the name of the metric.
  public var units: [String: String]
  /// The signs of numbers: `decimal` and `thousands`.
  public var numbers: [String: String]
  /// Mustache templates, by `Words.Sentence`.
  public var sentences: [String: String]

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case metrics
    case otherMetric = "other_metric"
    case units
    case numbers
    case sentences
  }

  /// A part that the file leaves out is empty.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func table(_ key: CodingKeys) throws -> [String: String] {
      try container.decodeIfPresent([String: String].self, forKey: key) ?? [:]
    }
    metrics = try table(.metrics)
    otherMetric = try container.decodeIfPresent(String.self, forKey: .otherMetric) ?? ""
    units = try table(.units)
    numbers = try table(.numbers)
    sentences = try table(.sentences)
  }

  /// The shipped words, by language.
  public static let shipped: [String: WordsSource] = [
    "de": source(PackageResources.de_json), "en": source(PackageResources.en_json),
    "es": source(PackageResources.es_json),
  ]

  private static func source(_ text: String) -> WordsSource {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    } catch {
      preconditionFailure("shipped words that are no JSON: \(error)")
    }
  }

  /// These words with what another file of the language says.
  public func replacing(with own: WordsSource) -> WordsSource {
    var merged = self
    merged.metrics.merge(own.metrics) { $1 }
    merged.units.merge(own.units) { $1 }
    merged.numbers.merge(own.numbers) { $1 }
    merged.sentences.merge(own.sentences) { $1 }
    if !own.otherMetric.isEmpty { merged.otherMetric = own.otherMetric }
    return merged
  }
}
