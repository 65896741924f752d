import Foundation

/// The messages and fields of FIT files that become metrics.
///
/// A file in JSON under `Presets/FIT`, with the numbers of Garmin's profile.
struct FITLayout: Decodable {
  /// The numbers of makers whose files are read.
  var manufacturers: Set<Int>
  var messages: [Message]

  /// A kind of message.
  struct Message: Decodable {
    var number: UInt16
    /// The field with the maker, and that with the serial number of the device, in the message that names the file.
    var manufacturer: UInt8?
    var device: UInt8?
    /// The field with the time of the message on the clock of the device.
    var localTime: UInt8?
    /// The field with the lower 16 bits of the time, where the message has no whole one.
    var lowTime: UInt8?
    /// Whether the lower bits of later times belong to the time of this message.
    var setsClock: Bool?
    /// The kind of activity that the message is about.
    var kind: Kind?
    var values: [Value]?
    var levels: Levels?
  }

  struct Kind: Decodable {
    var field: UInt8
    /// A field of which the lower five bits have the kind, where the message has no other.
    var inByte: UInt8?
  }

  /// A field and the metric that it becomes.
  struct Value: Decodable {
    var metric: String
    /// The first of them that a message has.
    var fields: [UInt8]
    /// A value of the metric is that of the field divided by it.
    var scale: Double?
    var ofDay: OfDay
    /// The kinds of activity that count; nil for all.
    var kinds: [Int]?
    /// Whether 0 stands for no value.
    var missingZero: Bool?
  }

  enum OfDay: String, Decodable {
    /// Grows from midnight on, for each kind of activity: the largest counts.
    case counter
    case sum
    case last
    /// The mean of a file, on the day of its last value.
    case night
  }

  /// The depth of sleep from the time of a message to that of the next one.
  struct Levels: Decodable {
    var field: UInt8
    /// The metric of each level.
    var metrics: [String: String]
    /// A longer time between two messages is no level, but ends a sleep.
    var longestMinutes: UInt32
  }

  static func shipped() throws -> FITLayout {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(FITLayout.self, from: Data(PackageResources.garmin_fit_json.utf8))
  }
}
