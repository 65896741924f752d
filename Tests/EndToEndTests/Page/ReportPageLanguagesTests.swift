import Foundation
import TestDatabases
import Testing

/// All of a page is in its language: sentences, charts with their descriptions, analysts' figures and the run.
@Suite struct ReportPageLanguagesTests {
  /// Texts that each part of an English page has.
  private static let english = [
    "need attention", "Reading the charts", "value of a day", "have a value", "The latest mean",
    "An alert since", "personal spreads", ", usual ", "Last 7 days", "Alerts by day", "no alert",
    "Vitality scores", "no trend", "points", "doses taken", "of them late", "expected doses",
    "Medications", "Taken", "The run", "Evaluated", "finished", "series", "planned",
    "Compared with the run before", "Rows read", "Two profiles", "Only v1", "Episodes", "persons",
    "better", "days in an alert", "State of each metric", "heart rate variability", "several",
  ]

  /// Words that English and the other language share.
  private static let shared = ["es": ["series"]]

  @Test func noPartIsInAnotherLanguage() async throws {
    let folder = try SamplePage.evaluated(.sqlite)
    let page = try await SamplePage.page("--compare", "v1", in: folder).html
    for text in Self.english { #expect(page.contains(text), "\(text)") }
    for language in ["de", "es"] {
      let page = try await SamplePage.page(
        "--compare", "v1", "--language", language, in: folder
      ).html
      #expect(page.contains("<html lang=\"\(language)\">"))
      #expect(page.components(separatedBy: " lang=").count == 2, "no part has another language")
      // The style and its classes are for no reader.
      let body = try #require(page.components(separatedBy: "<body>").last)
        .replacing(#/ class="[^"]*"/#, with: "")
      for text in Self.english where Self.shared[language]?.contains(text) != true {
        let place = body.range(of: text)
        #expect(
          place == nil,
          "\(language): \(text): \(place.map { body[$0.lowerBound...].prefix(80) } ?? "")")
      }
      // Decimals have a comma.
      #expect(!body.contains(#/>[0-9]+\.[0-9] /#))
    }
  }

  /// The same figures stand on the pages of all languages.
  @Test func figuresAreTheSame() async throws {
    let folder = try SamplePage.evaluated(.sqlite)
    func digits(_ language: String) async throws -> [String] {
      let page = try await SamplePage.page("--language", language, in: folder)
      return page.descriptions.map { text in
        text.replacing(",", with: "").replacing(".", with: "").filter(\.isNumber)
      }
    }
    let english = try await digits("en")
    #expect(english.count > 10)
    for language in ["de", "es"] { #expect(try await digits(language) == english, "\(language)") }
  }
}

extension PageTexts {
  /// The descriptions of all drawings but of those that list metrics by name.
  fileprivate var descriptions: [String] {
    ["strip", "spreads", "lanes", "doses", "score"].flatMap { descriptions(of: $0) }
  }
}
