import Foundation
import ShippedThresholds
import TestSupport
import Testing

@testable import VigilModel

/// RFC 8259, read strictly.
@Suite struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue { try read(Array(text.utf8)).get() }

  private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

  private func fault(_ bytes: [UInt8]) -> JSONFault? {
    guard case .failure(let fault) = read(bytes) else { return nil }
    return fault
  }

  private func read(_ bytes: [UInt8]) -> Result<JSONValue, JSONFault> {
    do {
      return .success(try JSONValue(parsing: bytes))
    } catch {
      return .failure(error)
    }
  }

  @Test func everyKindOfValueIsRead() throws {
    let text = #" {"a": [1, -0.5, 2e3, 1E-2], "b": true, "c": false, "d": null, "": "x", "e": {}} "#
    #expect(
      try parse(text)
        == .object([
          "a": .array([.number(1), .number(-0.5), .number(2000), .number(0.01)]),
          "b": .boolean(true), "c": .boolean(false), "d": .null, "": .string("x"),
          "e": .object([:]),
        ]))
    #expect(try parse("7") == .number(7))
    #expect(try parse("\u{FEFF}[]") == .array([]))
  }

  @Test func escapesAndSurrogatesAreRead() throws {
    #expect(
      try parse(#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é😀\u0000""#)
        == .string("\"\\/\u{8}\u{c}\n\r\té😀é😀\u{0}"))
  }

  @Test(arguments: [
    "1e999", "-1e999",
  ])
  func aNumberThatNoDoubleHoldsIsInfinite(_ text: String) throws {
    guard case .number(let number) = try parse(text) else {
      Issue.record("is no number")
      return
    }
    #expect(number.isInfinite)
  }

  @Test(arguments: [
    ("", 1, 1), (" ", 1, 2), ("{\n\"a\": ", 2, 6), ("[1,", 1, 4), ("\"abc", 1, 5), ("tru", 1, 4),
    ("-", 1, 2), ("1.", 1, 3), ("1e+", 1, 4), (#""\"#, 1, 3), (#""\u12"#, 1, 6),
    (#""\uD83D"#, 1, 8),
  ])
  func aTextThatIsCutShortSaysSo(_ text: String, _ line: Int, _ column: Int) {
    let fault = fault(text)
    #expect(fault?.kind == .end)
    #expect(fault.map { [$0.line, $0.column] } == [line, column])
    #expect(fault?.description == "cut short in line \(line); copy the file again")
  }

  @Test(arguments: [
    ("{\"a\" 1}", 1, 6), ("[1 2]", 1, 4), ("[1,]", 1, 4), ("{\"a\": 1,}", 1, 9), ("[01]", 1, 3),
    ("[+1]", 1, 2), ("[.5]", 1, 2), ("[1.e2]", 1, 4), ("[NaN]", 1, 2), ("[1] 2", 1, 5),
    ("{a: 1}", 1, 2), ("['a']", 1, 2), ("\n\n  trve", 3, 5), (#"["\x"]"#, 1, 4),
    (#"["\uDE00"]"#, 1, 3), (#"["\uD83Dx"]"#, 1, 3), (#"["\uD83D\u0041"]"#, 1, 3),
    ("[\"a\u{1}\"]", 1, 4), ("[\"a\nb\"]", 1, 4), ("// x", 1, 1), ("[1]\u{0}", 1, 4),
  ])
  func aFaultHasItsPlace(_ text: String, _ line: Int, _ column: Int) {
    let fault = fault(text)
    #expect(fault?.kind == .byte)
    #expect(fault.map { [$0.line, $0.column] } == [line, column])
    #expect(
      fault?.description
        == "mistyped in line \(line), column \(column); fix the file or copy it again")
  }

  @Test func aKeyMayNotStandTwice() {
    let fault = fault("{\"a\": {\"b\": 1},\n \"a\": 2}")
    #expect(
      fault?.description
        == "the key \"a\" stands twice in one object, the second time in line 2, column 2; remove one"
    )
  }

  @Test func depthIsLimited() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    _ = try parse(nested(512))
    #expect(fault(nested(513))?.kind == .depth)
    #expect(fault(String(repeating: "[", count: 1_000_000))?.kind == .depth)
  }

  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8], [0xE2, 0x82],
    ] as [[UInt8]])
  func whatIsNoUTF8IsRefused(_ bytes: [UInt8]) {
    #expect(fault(Array("\"".utf8) + bytes + Array("\"".utf8)) != nil)
  }

  @Test(arguments: ShippedThresholds.names + ShippedThresholds.vitalityNames)
  func theShippedFilesAreReadAsFoundationReadsThem(_ name: String) throws {
    let file = try #require(ShippedThresholds.named(name))
    let expected = try JSONDecoder().decode(FoundationTree.self, from: Data(file)).value
    #expect(try read(file).get() == expected)
  }

  private static func hasPowerOfZero(_ text: [UInt8]) -> Bool {
    zip(text, text.dropFirst()).contains { first, second in
      first == UInt8(ascii: "0") && (second | 0x20) == UInt8(ascii: "e")
    }
  }

  private static func hasCommaBeforeEnd(_ text: [UInt8]) -> Bool {
    let tokens = text.filter { $0 > 0x20 }
    return zip(tokens, tokens.dropFirst()).contains { first, second in
      first == UInt8(ascii: ",") && (second == UInt8(ascii: "]") || second == UInt8(ascii: "}"))
    }
  }

  /// Foundation's decoder is the judge of random texts, but for keys that stand twice, for depth, for numbers
  /// that no Double holds, for `0e1`, which it refuses, and for a comma at the end of a list, which it takes.
  @Test func randomTextsAreJudgedAsFoundationDoes() throws {
    let seeds = [
      #"{"a": [1, -0.5, 2e3, 10E-2, 0], "b\n\u00e9": true, "c": "x\"y\\", "d": [null, false, {}]}"#,
      #"[{"kind": "percent_drop", "é": "\uD83D\uDE00", "n": 123456.789e-3}, [], "", 0.1]"#,
    ].map { Array($0.utf8) }
    let alphabet = Array("{}[],:\"\\/u0123456789eE+-.tfnrl ax\n\u{1}é".utf8)
    for seed in 1...Repetitions.count(fast: 3_000, long: 100_000) {
      var random = SeededGenerator(seed: seed)
      var text = seeds[seed % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // The first bytes stay: by them Foundation recognizes other encodings.
        let place = Int.random(in: 4..<text.count, using: &random)
        let byte = alphabet.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        default: text.remove(at: place)
        }
      }
      let expected = try? JSONDecoder().decode(FoundationTree.self, from: Data(text)).value
      switch read(text) {
      case .success(let value)
      where expected != nil || !(value.isUnboundedSomewhere || Self.hasPowerOfZero(text)):
        #expect(value == expected, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
      case .failure(let fault)
      where (fault.kind == .byte || fault.kind == .end) && !Self.hasCommaBeforeEnd(text):
        #expect(expected == nil, "seed \(seed): \(String(decoding: text, as: UTF8.self))")
      case .success, .failure: continue
      }
    }
  }
}

extension JSONValue {
  /// Whether it is or holds a number that is infinite.
  fileprivate var isUnboundedSomewhere: Bool {
    switch self {
    case .number(let number): number.isInfinite
    case .array(let elements): elements.contains(where: \.isUnboundedSomewhere)
    case .object(let fields): fields.values.contains(where: \.isUnboundedSomewhere)
    case .null, .boolean, .string: false
    }
  }
}

/// A text as Foundation's decoder reads it.
private struct FoundationTree: Decodable {
  let value: JSONValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let flag = try? container.decode(Bool.self) {
      value = .boolean(flag)
    } else if let number = try? container.decode(Double.self) {
      value = .number(number)
    } else if let text = try? container.decode(String.self) {
      value = .string(text)
    } else if let elements = try? container.decode([FoundationTree].self) {
      value = .array(elements.map(\.value))
    } else {
      value = .object(try container.decode([String: FoundationTree].self).mapValues(\.value))
    }
  }
}
