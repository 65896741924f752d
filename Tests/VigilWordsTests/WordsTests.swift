import Foundation
import Testing
import VigilModel

@testable import VigilWords

@Suite struct WordsTests {
  @Test func everyLanguageHasTheSameWords() throws {
    let english = try #require(WordsSource.shipped["en"])
    for (language, source) in WordsSource.shipped {
      #expect(Set(source.metrics.keys) == Set(english.metrics.keys), "\(language)")
      #expect(Set(source.units.keys) == Set(english.units.keys), "\(language)")
      #expect(Set(source.numbers.keys) == ["decimal", "thousands"], "\(language)")
      #expect(Set(source.sentences.keys) == Set(Words.Sentence.allCases.map(\.rawValue)))
      #expect(throws: Never.self) { try Words(source) }
    }
  }

  @Test func aSentenceOfOnesOwnReplacesTheShippedOne() throws {
    let own = try JSONDecoder().decode(
      WordsSource.self,
      from: Data(
        #"{"metrics":{"steps":"walking"},"sentences":{"lower":"{{metric}} <{{days}}>"}}"#.utf8))
    let words = try Words(try #require(WordsSource.shipped["en"]).replacing(with: own))
    let summary = AlertSummary(
      metric: MetricType("steps"), days: 4,
      change: .value(.lower, .init(deviation: -0.25)))
    #expect(
      words.sentence(of: summary) == "Walking <4 days> (25 % below the usual level)")
  }

  @Test(arguments: [
    (#"{"sentences":{"lowest":"x"}}"#, "has an unknown sentence lowest"),
    (#"{"sentences":{"lower":"{{#a}}"}}"#, "the sentence lower is no Mustache"),
  ])
  func faultsAreNamed(text: String, problem: String) throws {
    let own = try JSONDecoder().decode(WordsSource.self, from: Data(text.utf8))
    let source = try #require(WordsSource.shipped["en"]).replacing(with: own)
    let fault = #expect(throws: Words.Fault.self) { try Words(source) }
    #expect(fault?.description.contains(problem) == true)
    #expect(throws: Words.Fault.self) { try Words(own) }
  }
}
