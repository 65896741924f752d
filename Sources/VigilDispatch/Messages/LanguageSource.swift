import Foundation
import VigilWords

/// The file of one language.
struct LanguageSource: Hashable, Sendable, Decodable {
  /// The words of sentences about alerts.
  var words: WordsSource
  /// The words for the months, from January on.
  var months: [String]
  /// For payloads that are references.
  var reference: Texts
  /// By template id.
  var messages: [String: Texts]

  struct Texts: Hashable, Sendable, Decodable {
    var subject: String
    var text: String
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case months
    case reference
    case messages
  }

  /// A part that the file leaves out is empty.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    words = try WordsSource(from: decoder)
    months = try container.decodeIfPresent([String].self, forKey: .months) ?? []
    guard months.isEmpty || months.count == 12 else {
      throw DecodingError.dataCorruptedError(
        forKey: .months, in: container, debugDescription: "not twelve months")
    }
    reference =
      try container.decodeIfPresent(Texts.self, forKey: .reference) ?? Texts(subject: "", text: "")
    messages = try container.decodeIfPresent([String: Texts].self, forKey: .messages) ?? [:]
  }

  /// - Throws: `MessageFault`.
  init(data: Data, named name: String) throws {
    let keys = (try? JSONSerialization.jsonObject(with: data) as? [String: Any])?.keys.sorted()
    guard let keys else { throw MessageFault("\(name) is no JSON object") }
    let known =
      WordsSource.CodingKeys.allCases.map(\.rawValue) + CodingKeys.allCases.map(\.rawValue)
    if let unknown = keys.first(where: { !known.contains($0) }) {
      throw MessageFault(
        "\(name) has an unknown key \(unknown); it may have \(known.joined(separator: ", "))")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch let DecodingError.keyNotFound(key, context) {
      throw MessageFault("\(name): \(Self.place(context)) lacks \(key.stringValue)")
    } catch let DecodingError.typeMismatch(_, context) {
      throw MessageFault("\(name): \(Self.place(context)) is of the wrong type")
    } catch let DecodingError.dataCorrupted(context)
      where context.codingPath.last?.stringValue == CodingKeys.months.rawValue
    {
      throw MessageFault("\(name): months must be twelve words")
    } catch {
      throw MessageFault("\(name) is not of the form of a language; docs/delivery.md shows it")
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    context.codingPath.map(\.stringValue).joined(separator: ".")
  }

  /// This language with what another file of it says.
  func replacing(with own: LanguageSource) -> LanguageSource {
    var merged = self
    merged.words = words.replacing(with: own.words)
    merged.messages.merge(own.messages) { $1 }
    if !own.months.isEmpty { merged.months = own.months }
    if !own.reference.text.isEmpty { merged.reference = own.reference }
    return merged
  }
}
