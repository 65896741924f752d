public import VigilModel

/// The rows of one person in `non-wear.json`, and the days on which the device was not worn.
public struct WearFixture: Decodable, Sendable {
  public static let all: [WearFixture] = SpecificationFixtures.cases("non-wear.json")

  public var name: String
  /// By day, the rows.
  public var days: [String: [Row]]
  public var expected: Expected

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public struct Expected: Decodable, Sendable {
    public var not_worn: [Day]
    /// By day, the columns that are left out.
    public var part_worn: [String: [String]]
  }

  /// A row of a source, with the values of its columns.
  public struct Row: Decodable, Sendable {
    public var source: String
    public var values: [String: Double]

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Column.self)
      source = try container.decode(String.self, forKey: Column(stringValue: "source"))
      values = [:]
      for key in container.allKeys where key.stringValue != "source" {
        values[key.stringValue] = try container.decode(Double.self, forKey: key)
      }
    }
  }

  private struct Column: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
