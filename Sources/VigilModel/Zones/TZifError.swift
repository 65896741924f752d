/// A reason why the contents of a compiled zone file cannot be used (RFC 9636).
public enum TZifError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin with `TZif`.
  case notTZif
  /// The version byte is none of 0 and `2` or later.
  case unknownVersion
  /// The file ends before what its counts announce.
  case truncated
  /// A count of the header contradicts another or is out of range.
  case invalidCounts
  /// The file counts leap seconds, as those below `right/` do, while Vigil's times are POSIX times.
  case countsLeapSeconds
  /// Changes of the clock are not in order of time.
  case unorderedTransitions
  /// A change of the clock leads to a local time type that is not there.
  case unknownType
  /// A local time type is malformed, or a day and more from UTC.
  case invalidType
  /// The rule at the end of the file is malformed.
  case invalidFooter

  public var description: String {
    switch self {
    case .notTZif: "it is not a compiled zone file"
    case .unknownVersion: "its version is unknown"
    case .truncated: "it is cut off"
    case .invalidCounts: "its counts contradict each other"
    case .countsLeapSeconds: "it counts leap seconds, as the files below right/ do"
    case .unorderedTransitions: "its changes of the clock are not in order of time"
    case .unknownType: "a change of the clock leads nowhere"
    case .invalidType: "an offset from UTC is impossible"
    case .invalidFooter: "the rule at its end is malformed"
    }
  }
}
