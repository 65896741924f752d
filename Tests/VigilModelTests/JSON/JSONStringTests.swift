import Foundation
import Testing
import VigilModel

@Suite struct JSONStringTests {
  @Test(arguments: [
    ("", #""""#), ("plain", #""plain""#), (#"say "yes""#, #""say \"yes\"""#),
    (#"a\b"#, #""a\\b""#), ("a\nb\r\t", #""a\nb\r\t""#),
    ("\u{0}\u{7}\u{1F}", #""\u0000\u0007\u001f""#),
    ("é\u{1F9B7}", "\"é\u{1F9B7}\""), ("\u{202E}", #""\u202e""#), ("\u{E0041}", #""\udb40\udc41""#),
  ])
  func textsAreEscaped(text: String, expected: String) {
    #expect(JSONString.quoted(text) == expected)
  }

  @Test func everyCharacterIsReadAgain() throws {
    let scalars = (0...0x2FFF).compactMap(Unicode.Scalar.init).map { "a\($0)b" }
    let written = Data(JSONString.array(scalars).utf8)
    #expect(try JSONDecoder().decode([String].self, from: written) == scalars)
    #expect(JSONString.array([String]()) == "[]")
  }
}
