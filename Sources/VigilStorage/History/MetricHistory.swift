public import Foundation
public import VigilModel

/// A copy of the metric rows of one person, which spares the next nights to read these rows again.
///
/// It has all rows from its first day to its last as a night found them, with every numeric column, so that it serves each
/// profile. It is disposable: a change of these rows makes it void, and a night then makes it anew.
public struct MetricHistory: Hashable, Sendable {
  public var user: UUID
  /// The days whose rows it has.
  public var days: ClosedRange<Day>
  /// `HistoryLayout.description` of the columns.
  public var layout: String
  /// The rows, as `HistoryRows` packs them.
  public var rows: [UInt8]

  public init(user: UUID, days: ClosedRange<Day>, layout: String, rows: [UInt8]) {
    self.user = user
    self.days = days
    self.layout = layout
    self.rows = rows
  }

  /// The days before an evaluated day whose rows are read each night: late rows are mostly of these.
  static let lateDays = 3
  /// Each night makes the copies of one person in so many anew, and compares them.
  static let rotation = 28
  /// After so many nights without its turn a copy is made anew, as too many rows have come since.
  static let mostDaysSince = 60

  /// The last day that copies of the night of a day have.
  public static func lastDay(ofNight day: Day) -> Day { day - lateDays }

  /// Whether it is the person's turn on the night of `day`.
  static func isDue(_ user: UUID, on day: Day) -> Bool {
    // The last bytes of an id are random, also where the first are a time.
    let number = Int(user.uuid.14) << 8 | Int(user.uuid.15)
    return (number + Int(day.ordinal)) % rotation == 0
  }
}

/// The columns of copies; copies of other columns are void.
public struct HistoryLayout: Hashable, Sendable, CustomStringConvertible {
  /// The numeric columns of the table.
  public let columns: [MetricType]

  public init(_ columns: [MetricType]) {
    self.columns = columns
  }

  /// The version of the form of `HistoryRows`, and the columns.
  public var description: String { "1:" + columns.map(\.rawValue).joined(separator: ",") }

  /// The columns of measurements that are not asked for, of which one above 0 shows that the device was worn.
  func others(besides metrics: [MetricType]) -> [Int] {
    let others = MetricColumns.measurements(among: columns.map(\.rawValue), besides: metrics)
    return columns.indices.filter { others.contains(columns[$0].rawValue) }
  }
}

/// The state of copies, as a snapshot of the database has it.
public struct HistoryState: Hashable, Sendable {
  /// Whether changes of rows are noted, so that copies can be trusted.
  public var isKept: Bool
  /// Goes up each time that noted changes make copies void: a copy that is made from an older snapshot is not stored.
  public var generation: Int
  public var layout: HistoryLayout

  public init(isKept: Bool, generation: Int, layout: HistoryLayout) {
    self.isKept = isKept
    self.generation = generation
    self.layout = layout
  }
}

/// The work that a night may spare itself.
public struct HistoryUse: Hashable, Sendable {
  /// Whether copies of metric rows can be trusted; where not, there are none.
  public var hasCopies: Bool
  /// The series without an episode of the night before, by the digests of the input; nil where the login may not keep any.
  public var calmDigests: [UInt64: CalmDigest.SeriesSet]?

  public init(hasCopies: Bool, calmDigests: [UInt64: CalmDigest.SeriesSet]?) {
    self.hasCopies = hasCopies
    self.calmDigests = calmDigests
  }
}

/// The digests that a batch keeps for the next night, of persons of whom nothing was found.
public struct CalmWrite: Sendable {
  /// The evaluated day.
  public var day: Day
  public var digests: [CalmDigest]

  public init(day: Day, digests: [CalmDigest]) {
    self.day = day
    self.digests = digests
  }
}

/// The copies that a batch has made.
public struct HistoryWrite: Sendable {
  public var histories: [MetricHistory]
  /// That of the snapshot that they were made from.
  public var generation: Int
  /// Whether one that was stored differed from the rows: all others are then in doubt, and go.
  public var clears: Bool

  public init(histories: [MetricHistory], generation: Int, clears: Bool) {
    self.histories = histories
    self.generation = generation
    self.clears = clears
  }
}
