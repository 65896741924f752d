public import Foundation
public import VigilModel

/// The limits of an import for rows that cannot be used, and its callbacks.
public struct ImportOptions {
  /// Rows with a date later than the day after this one are refused; that day has already begun in
  /// zones further east.
  public var today: Day
  /// The time of the import: `created_at` and `updated_at` where a file has no such columns.
  public var now: Timestamp
  /// The catalog in which the time zones of rows are looked up.
  public var zones: ZoneCatalog
  /// Whether the first row that cannot be used ends the import.
  ///
  /// The default is false.
  public var isStrict: Bool
  /// The share of all rows of the import that may be unusable before nothing is imported at all.
  ///
  /// The default is 0.01.
  public var maxBadRowFraction: Double
  /// The `run_id` of quarantined rows.
  ///
  /// The default is nil.
  public var runID: UUID?
  /// Whether an export removes the values of days that an earlier import stored of its source, and that it does not
  /// have.
  ///
  /// The default is false: such days are named.
  public var replacesMissingDays = false
  /// Called with the bytes read so far and in all, after each chunk of up to 1 MiB.
  public var progress: (_ bytesRead: Int64, _ totalBytes: Int64) -> Void
  /// Called every few thousand rows; true rolls everything back.
  public var shouldStop: () -> Bool
  /// The time zone of a person as the database has it; nil where it has none.
  ///
  /// The default knows none.
  public var timeZoneOfPerson: (UUID) throws -> String?
  /// The columns of daily metrics that the database has, the operator's own among them; empty where there is none yet.
  ///
  /// The default knows none. It is asked only for a file with a column that no shipped table has.
  public var storedMetrics: () throws -> Set<MetricType>
  /// Whether a person was erased, so that their rows are left out; nil where no person was.
  ///
  /// The default is nil.
  public var isErased: ((UUID) -> Bool)?
  /// The folder where relative paths begin.
  ///
  /// The default is nil: the current one of the process.
  public var currentFolder: String?
  /// The descriptor of standard input.
  ///
  /// The default is that of the process.
  public var standardInput: Int32

  public init(
    today: Day, now: Timestamp, zones: ZoneCatalog, isStrict: Bool = false,
    maxBadRowFraction: Double = 0.01, runID: UUID? = nil, replacesMissingDays: Bool = false,
    progress: @escaping (_ bytesRead: Int64, _ totalBytes: Int64) -> Void = { _, _ in },
    shouldStop: @escaping () -> Bool = { false },
    timeZoneOfPerson: @escaping (UUID) throws -> String? = { _ in nil },
    storedMetrics: @escaping () throws -> Set<MetricType> = { [] },
    currentFolder: String? = nil,
    standardInput: Int32 = STDIN_FILENO
  ) {
    self.today = today
    self.now = now
    self.zones = zones
    self.isStrict = isStrict
    self.maxBadRowFraction = maxBadRowFraction
    self.runID = runID
    self.replacesMissingDays = replacesMissingDays
    self.progress = progress
    self.shouldStop = shouldStop
    self.timeZoneOfPerson = timeZoneOfPerson
    self.storedMetrics = storedMetrics
    self.currentFolder = currentFolder
    self.standardInput = standardInput
  }
}
