public import VigilModel

/// The state of the copies of a subject, as a snapshot of the database has it.
public struct HistoryState: Hashable, Sendable {
  /// Whether changes of rows are noted, so that copies can be trusted.
  public var isKept: Bool
  /// Goes up each time that changes make copies void: a copy that is made from an older snapshot is not stored.
  public var generation: Int

  public init(isKept: Bool, generation: Int) {
    self.isKept = isKept
    self.generation = generation
  }
}

/// The columns of copies of metric rows; copies of other columns are void.
public struct MetricLayout: Hashable, Sendable {
  /// The numeric columns of the table.
  public let columns: [MetricType]

  public init(_ columns: [MetricType]) {
    self.columns = columns
  }

  /// A digest of the version of the form of `MetricBlocks`, and of the columns.
  public var digest: Int {
    var hash = StableHash()
    hash.combine(2)
    for column in columns { hash.combine(column.rawValue) }
    return Int(truncatingIfNeeded: hash.value)
  }

  /// The columns of measurements that are not asked for, of which one above 0 shows that the device was worn.
  func others(besides metrics: [MetricType]) -> [Int] {
    let others = MetricColumns.measurements(among: columns.map(\.rawValue), besides: metrics)
    return columns.indices.filter { others.contains(columns[$0].rawValue) }
  }
}

/// The work that a night may spare itself.
public struct HistoryUse: Hashable, Sendable {
  /// Whether copies of any rows can be trusted; where not, there are none.
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
