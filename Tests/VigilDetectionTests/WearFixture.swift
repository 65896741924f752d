import ReferenceKernels
import Testing
import VigilModel

/// The rows of one person in `non-wear.json`, and the days on which the device was not worn.
struct WearFixture: Decodable, Sendable, CustomTestStringConvertible {
  var name: String
  /// By day, the rows with their columns.
  var days: [String: [[String: Field]]]
  var expected: Expected

  var testDescription: String { name }

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Expected: Decodable, Sendable {
    var not_worn: [Day]
    /// By day, the columns that are left out.
    var part_worn: [String: [String]]
  }

  enum Field: Decodable, Sendable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let number = try? container.decode(Double.self) { .number(number) } else {
          .text(try container.decode(String.self))
        }
    }
  }

  var rows: [Day: [ReferenceWear.Row]] {
    get throws {
      var result: [Day: [ReferenceWear.Row]] = [:]
      for (text, rows) in days {
        result[try #require(Day(text))] = try rows.map { fields in
          guard case .text(let source)? = fields["source"] else {
            throw MissingSource()
          }
          let values = fields.compactMapValues { field in
            if case .number(let number) = field { number } else { nil }
          }
          return ReferenceWear.Row(source: source, values: values)
        }
      }
      return result
    }
  }

  private struct MissingSource: Error {}
}
