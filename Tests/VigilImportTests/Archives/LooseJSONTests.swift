import Foundation
import Testing

@testable import VigilImport

@Suite struct LooseJSONTests {
  private func withoutNaN(_ text: String) -> String {
    String(decoding: LooseJSON.withoutNaN(Data(text.utf8)), as: UTF8.self)
  }

  private func without(_ keys: [String], _ text: String) -> String {
    String(decoding: LooseJSON.without(keys, Data(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("[NaN,-Infinity,Infinity, -5]", "[null,null,null, -5]"),
    (#"{"NaN": "a \"NaN\" NaN", "b": NaN}"#, #"{"NaN": "a \"NaN\" NaN", "b": null}"#),
    (#"["\\", NaN]"#, #"["\\", null]"#), ("", ""), (#"["open NaN"#, #"["open NaN"#), ("Na", "Na"),
  ])
  func whatIsNoNumberBecomesNull(text: String, expected: String) {
    #expect(withoutNaN(text) == expected)
  }

  @Test(arguments: [
    (#"{"a": [1, [2], {"b": "]"}], "c": 3}"#, #"{"a": null, "c": 3}"#),
    (#"{"b": {"a" : {"x": "}"}}, "a": 1}"#, #"{"b": {"a" : null}, "a": 1}"#),
    (#"["a", ["a"]]"#, #"["a", ["a"]]"#), (#"{"a": "text"}"#, #"{"a": "text"}"#),
    (#"{"x\"a": [1], "a":[]}"#, #"{"x\"a": [1], "a":null}"#),
    // A broken file stays broken.
    (#"{"a": [1, 2"#, #"{"a": null"#), (#"{"a"#, #"{"a"#), (#"{"a":"#, #"{"a":"#), ("", ""),
  ])
  func listsAndObjectsOfAKeyBecomeNull(text: String, expected: String) {
    #expect(without(["a"], text) == expected)
  }
}
