import ArgumentParser
import VigilModel

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// Reads one of the words that an option takes.
  ///
  /// - Throws: `ValidationError` for another word.
  static func choice(_ text: String) throws -> Self {
    if let word = Self(rawValue: text) { return word }
    let nearest = NearestName.of(text, among: words).map { "; did you mean \($0)?" } ?? ""
    throw ValidationError("'\(text)' is none of \(words.joined(separator: ", "))\(nearest)")
  }

  static var words: [String] { allCases.map(\.rawValue) }
}

/// The largest number of rows that a list shows.
struct ListLimit: ParsableArguments {
  @Option(help: ArgumentHelp("How many at most; 0 for all.", valueName: "n"))
  var limit = 100

  /// Nil for all.
  var rows: Int? { limit == 0 ? nil : limit }

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit needs a number from 0 on") }
  }
}
