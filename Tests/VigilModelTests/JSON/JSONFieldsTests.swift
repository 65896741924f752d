import Testing
import VigilModel

@Suite struct JSONFieldsTests {
  @Test func everyFieldIsThereInTheOrderOfItsKey() {
    let inner: JSONFields = ["z": 1.5, "a": String?.none]
    let fields: JSONFields = [
      "whole": 4_000.0, "count": 3, "infinite": Double.infinity, "flag": true, "text": "a\"b",
      "day": Day("2026-07-01"), "list": [1, 2], "inner": inner, "none": [Int](),
      "empty": [:] as JSONFields,
    ]
    #expect(
      fields.json.compactText
        == #"{"count":3,"day":"2026-07-01","empty":{},"flag":true,"infinite":null,"inner":{"a":null,"z":1.5},"#
        + #""list":[1,2],"none":[],"text":"a\"b","whole":4000}"#)
  }

  @Test func fieldsOfBothAreInTheSumAndTheLaterOnesCount() {
    let sum = ["a": 1, "b": 2] as JSONFields + ["b": 3, "c": 4]
    #expect(sum.json.compactText == #"{"a":1,"b":3,"c":4}"#)
    #expect(sum.without(["a", "c"]).json.compactText == #"{"b":3}"#)
  }

  @Test func theTextIsReadAsTheSameValue() throws {
    let fields: JSONFields = ["a": -0.1, "b": [true, false], "c": "\u{7F}ü"]
    #expect(try JSONValue(parsing: fields.json.compactText.utf8) == fields.json)
  }
}
