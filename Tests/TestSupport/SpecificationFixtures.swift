import Foundation
public import VigilModel

/// The worked cases of the specification, as its files have them.
public enum SpecificationFixtures {
  /// The cases of a file; empty where it is absent or cannot be read.
  public static func cases<Case: Decodable>(_ file: String) -> [Case] {
    guard let url = SharedFolder.url("spec/fixtures/\(file)"),
      let data = try? Data(contentsOf: url),
      let cases = try? JSONDecoder().decode([Case].self, from: data)
    else { return [] }
    return cases
  }

  public static let days: [DayFixture] = cases("detection.json")
  public static let episodes: [EpisodeFixture] = cases("episodes.json")
}

/// One evaluated day of `detection.json`.
public struct DayFixture: Decodable, Sendable {
  public var name: String
  public var profile: String
  public var metric: String
  public var day: Day
  public var values: [String: Double]
  public var expected: Expected

  // Named as in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public struct Expected: Decodable, Sendable {
    public var state: String
    public var reason: String?
    public var clean: Bool
    public var baseline_value: Double?
    public var baseline_days: Int
    public var baseline_start: Day?
    public var baseline_end: Day?
    public var recent_value: Double?
    public var deviation: Double?
    public var matched: [String]
  }
}

/// One history of `episodes.json` with the rows that each profile leaves.
public struct EpisodeFixture: Decodable, Sendable {
  public var name: String
  public var metric: String
  public var first: Day
  public var last: Day
  public var values: [String: Double]
  public var workouts: [Day]
  /// By profile.
  public var expected: [String: Expected]

  public struct Expected: Decodable, Sendable {
    /// Values by column of `pattern_alert_state`.
    public var episodes: [[String: Value]]
    public var notifications: [Notification]
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  public struct Notification: Decodable, Sendable {
    public var day: Day
    public var active_since: Day
    public var level: Int
  }

  /// A column's value.
  public enum Value: Decodable, Hashable, Sendable {
    case null
    case number(Double)
    case text(String)

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
}
