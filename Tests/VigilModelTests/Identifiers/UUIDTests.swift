import Foundation
import Testing
import VigilModel

@Suite struct UUIDTests {
  /// RFC 9562, appendix A.4, and what Python's `uuid.uuid5` gives for the others.
  @Test(arguments: [
    ("www.example.com", "2ed6657d-e927-568b-95e1-2665a8aea6a2"),
    ("", "4ebd0208-8328-5d69-8c44-ec50939c0967"),
    ("münchen.example", "b0a686dd-7bbb-5935-9663-c50a1bc538c3"),
  ])
  func agreesWithOtherImplementations(name: String, expected: String) throws {
    let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
    #expect(UUID(name: name, namespace: dns).lowercased == expected)
  }

  @Test func hasVersion5AndTheVariantOfTheRFC() {
    for number in 0..<500 {
      let bytes = UUID(name: "\(number)").uuid
      #expect(bytes.6 >> 4 == 5 && bytes.8 >> 6 == 0b10)
    }
  }

  @Test func idsDifferByNameAndNamespace() {
    #expect(UUID(name: "a") == UUID(name: "a"))
    #expect(UUID(name: "a") != UUID(name: "b"))
    #expect(UUID(name: "a") != UUID(name: "a", namespace: UUID(name: "other")))
    #expect(Set((0..<1000).map { UUID(name: "\($0)") }).count == 1000)
  }

  @Test func textIsLowerCaseAndReadInEitherCase() throws {
    func read(_ text: String) -> UUID? {
      Array(text.utf8).withUnsafeBufferPointer { UUID(utf8: $0) }
    }
    for number in 0..<200 {
      let id = UUID(name: "\(number)")
      #expect(id.lowercased == id.uuidString.lowercased())
      #expect(read(id.lowercased) == id && read(id.uuidString) == id)
    }
    for text in [
      "", "2ed6657d-e927-568b-95e1-2665a8aea6a", "2ed6657d-e927-568b-95e1-2665a8aea6a22",
      "2ed6657de-927-568b-95e1-2665a8aea6a2", "2ed6657d-e927-568b-95e1-2665a8aea6g2",
      "{2ed6657d-e927-568b-95e1-2665a8aea6}", "2ed6657de927568b95e12665a8aea6a2",
    ] {
      #expect(read(text) == nil, "\(text)")
    }
  }
}
