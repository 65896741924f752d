import Testing
import VigilModel

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  private struct Sample: Encodable {
    var second = "b"
    var first = -1.0
    var nothing: Int?
    var list = [true, false]
    var nested: [String: [Int]] = ["zebra": [], "Ant": [1, -2]]

    private enum CodingKeys: String, CodingKey {
      case second = "second_key"
      case first = "first_key"
      case nothing
      case list
      case nested
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(second, forKey: .second)
      try container.encode(first, forKey: .first)
      try container.encode(nothing, forKey: .nothing)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      for value in self.list { try list.encode(value) }
      try list.encodeNil()
      try container.encode(nested, forKey: .nested)
    }
  }

  @Test("keys are in order of their bytes, and nothing stands between tokens")
  func order() throws {
    #expect(
      try CanonicalJSON.text(of: Sample())
        == #"{"first_key":-1.0,"list":[true,false,null],"nested":{"Ant":[1,-2],"zebra":[]},"#
        + #""nothing":null,"second_key":"b"}"#)
  }

  @Test(
    "numbers are as Swift prints them",
    arguments: [
      (0, "0.0"), (-1, "-1.0"), (-0.322, "-0.322"), (1e-7, "1e-07"), (3.5e12, "3500000000000.0"),
      (1e100, "1e+100"),
    ] as [(Double, String)])
  func numbers(number: Double, text: String) throws {
    #expect(try CanonicalJSON.text(of: number) == text)
    #expect(try CanonicalJSON.text(of: [number]) == "[\(text)]")
  }

  @Test("texts are escaped where JSON asks for it, and nowhere else")
  func texts() throws {
    #expect(
      try CanonicalJSON.text(of: "a\"b\\c/d\n\u{1}é😀") == #""a\"b\\c/d\n\u0001é😀""#)
    #expect(try CanonicalJSON.text(of: [AlertLevel.day14]) == "[14]")
    #expect(try CanonicalJSON.text(of: [Severity.watch]) == #"["watch"]"#)
    #expect(try CanonicalJSON.text(of: Int64.min) == "-9223372036854775808")
  }

  @Test("a number that JSON has not is refused", arguments: [Double.nan, .infinity, -.infinity])
  func unusableNumbers(number: Double) {
    #expect(throws: EncodingError.self) { try CanonicalJSON.text(of: ["key": number]) }
  }
}
