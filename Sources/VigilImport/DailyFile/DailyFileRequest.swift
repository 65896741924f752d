/// The answers of a user to what a file of daily metrics does not say itself.
public struct DailyFileRequest: Sendable, Hashable {
  /// The id of the person whose metrics they are; nil where a column has it.
  public var user: String?
  /// The source of all rows; nil where a column has it.
  public var source: String?
  /// The preset for files of this kind; with one, no other column is known by its name.
  public var preset: ColumnPreset?
  /// Meanings of columns, which come before those that their names have.
  public var columns: [ColumnAssignment]
  /// The form of the dates; nil to find it.
  public var dates: DateForm?
  /// The decimal mark of the numbers; nil to find it.
  public var decimals: DecimalMark?
  /// The rule for several rows of one person, source and day; nil where they contradict each other.
  public var sameDay: SameDayRule?
  /// Lines before the header.
  public var skippedLines: Int

  public init(
    user: String? = nil, source: String? = nil, preset: ColumnPreset? = nil,
    columns: [ColumnAssignment] = [],
    dates: DateForm? = nil, decimals: DecimalMark? = nil, sameDay: SameDayRule? = nil,
    skippedLines: Int = 0
  ) {
    self.user = user
    self.source = source
    self.preset = preset
    self.columns = columns
    self.dates = dates
    self.decimals = decimals
    self.sameDay = sameDay
    self.skippedLines = skippedLines
  }

  /// Whether nothing is asked for, as a folder of tables needs it.
  public var isEmpty: Bool { self == DailyFileRequest() }
}
