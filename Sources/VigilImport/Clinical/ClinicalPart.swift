import VigilModel
import VigilStorage

/// A measurement in a form of one size, so that millions of them can be kept in a file.
struct ClinicalPart: BitwiseCopyable {
  /// A row of the table, by the numbers of its person and source.
  struct Row: Hashable, BitwiseCopyable {
    var person: UInt32
    var day: Int32
    var source: UInt32
  }

  /// The digest of a record's person and id, of which the last version counts.
  struct Identity: Hashable, BitwiseCopyable {
    var low: UInt64
    var high: UInt64

    /// A record without an id.
    static let none = Identity(low: 0, high: 0)

    init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    init(person: UInt32, id: String) {
      var fingerprint = Fingerprint()
      fingerprint.combine(UInt64(person))
      fingerprint.combine(.text(id))
      self.init(low: fingerprint.low, high: fingerprint.high)
    }
  }

  var identity: Identity
  /// In the unit of the metric; NaN where the record was withdrawn.
  var value: Double
  var row: Row
  /// The place of the measurement in its layout.
  var measurement: UInt32

  /// Days of a person whose rows are in memory at a time.
  private static let daysOfHash: Int32 = 512

  /// The same for the rows of a person in some hundred days.
  var hashOfRow: UInt64 {
    UInt64(row.person) << 32 | UInt64(UInt32(bitPattern: row.day / Self.daysOfHash))
  }
}
