import Foundation
import TestSupport
import Testing

@testable import VigilImport

@Suite struct ListScannerTests {
  /// The elements as texts, and what is beside the list.
  private func scan(
    _ text: String, chunk: Int = .max, limit: Int = 1 << 20
  ) throws -> (elements: [String], rest: String, isComplete: Bool, hasList: Bool) {
    var scanner = ListScanner(limit: limit)
    var elements: [String] = []
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      try scanner.take(bytes.prefix(chunk)) { element, _ in
        elements.append(String(decoding: element, as: UTF8.self))
      }
      bytes = bytes.dropFirst(chunk)
    }
    return (
      elements, String(decoding: scanner.rest, as: UTF8.self), scanner.isComplete, scanner.hasList
    )
  }

  @Test(arguments: [
    ("[]", []), ("[ 1 , \"a,]\" ,null]", ["1 ", "\"a,]\" ", "null"]),
    (#"[{"a": "}\"]{"}, [1, [2]]]"#, [#"{"a": "}\"]{"}"#, "[1, [2]]"]),
    (
      #" {"resourceType": "Bundle", "entry" : [{"resource": {}}, {"b": [1]}], "total": 2} "#,
      [#"{"resource": {}}"#, #"{"b": [1]}"#]
    ),
    // No list of the document: in another member, in one of another name, as a text.
    (#"{"a": {"entry": [1]}}"#, []), (#"{"entries": [1]}"#, []), (#"{"a": "entry", "b": [1]}"#, []),
    (#"{"entry": {"a": [1]}}"#, []), (#"{"entry": "a", "b": [1]}"#, []), ("12", []), ("\"[\"", []),
  ])
  func takesTheElementsOut(text: String, elements: [String]) throws {
    for chunk in [1, 2, 7, .max] {
      let found = try scan(text, chunk: chunk)
      #expect(found.elements == elements)
      #expect(found.isComplete)
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(found.rest.utf8), options: .fragmentsAllowed))
          != nil)
    }
  }

  @Test(arguments: ["[1 2", "[1,]", "[,1]", "[1,,2]", "[{}{}]", "[}]", "[1}]", "{\"entry\": [1,]}"])
  func refusesWhatIsNoList(text: String) throws {
    #expect(throws: ListScanner.Fault.self) {
      let found = try scan(text)
      // A number with a blank in it is left to the parser.
      if found.elements.isEmpty { throw ListScanner.Fault.malformed }
    }
  }

  @Test func knowsThatADocumentIsNotComplete() throws {
    for text in ["[", "[1", "[1,", "[{}", "{\"a\": \"", "{\"entry\": [{}]"] {
      #expect(try !scan(text).isComplete, "\(text)")
    }
    #expect(throws: ListScanner.Fault.tooLong) { try scan("[\"aaaaaaaaaaaa\"]", limit: 10) }
    #expect(throws: ListScanner.Fault.tooLong) { try scan("{\"a\": \"aaaaaaaaa\"}", limit: 10) }
    #expect(try scan("[\"aaaaa\", \"bbbbb\", \"ccccc\"]", limit: 10).elements.count == 3)
  }

  @Test func findsTheElementsThatAParserFinds() throws {
    for seed in 1...Repetitions.count(fast: 20, long: 1_000) {
      var random = TestSupport.SeededGenerator(seed: seed)
      func value(_ depth: Int) -> Any {
        switch Int.random(in: 0...(depth > 0 ? 5 : 3), using: &random) {
        case 0: return Int.random(in: -99...99, using: &random)
        case 1: return NSNull()
        case 2:
          return ["a", "[\"", "}\\", "entry", "\u{1F600}é\n", ""].randomElement(using: &random)
            ?? ""
        case 3: return Bool.random(using: &random)
        case 4: return (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth - 1) }
        default:
          let keys = ["a", "entry", "]"].filter { _ in Bool.random(using: &random) }
          return Dictionary(uniqueKeysWithValues: keys.map { ($0, value(depth - 1)) })
        }
      }
      let list = (0..<Int.random(in: 0...6, using: &random)).map { _ in value(3) }
      let isBundle = Bool.random(using: &random)
      let document: Any = isBundle ? ["x": value(2), "entry": list, "y": value(2)] : list
      let options: JSONSerialization.WritingOptions =
        Bool.random(using: &random) ? [.prettyPrinted] : []
      let text = String(
        decoding: try JSONSerialization.data(withJSONObject: document, options: options),
        as: UTF8.self)
      let found = try scan(text, chunk: Int.random(in: 1...9, using: &random))
      #expect(found.hasList && found.isComplete, "seed \(seed)")
      let elements = try found.elements.map {
        try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
      }
      #expect(NSArray(array: elements) == NSArray(array: list), "seed \(seed)")
    }
  }
}
