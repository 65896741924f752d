import VigilModel

extension ArchiveTable {
  /// Whether a record has the values that the table asks for, and none that it excludes.
  func admits(_ record: ArchiveRecords.Record) -> Bool {
    for (column, words) in when {
      guard let word = record(column)?.lowercased(), words.contains(word) else { return false }
    }
    for (column, words) in unless {
      if let word = record(column)?.lowercased(), words.contains(word) { return false }
    }
    return true
  }

  /// The first of some columns that a record has.
  func first(
    _ columns: [String], of record: ArchiveRecords.Record
  ) -> (column: String, text: String)? {
    for column in columns {
      if let text = record(column) { return (column, text) }
    }
    return nil
  }

  /// The date of a record.
  func date(
    of text: String, in column: String, _ record: ArchiveRecords.Record, _ reading: ArchiveReading
  ) throws(RowProblem) -> Day {
    let found: Day?
    // Garmin writes some milliseconds with a decimal point.
    if text.utf8.count >= 12, let milliseconds = Double(text), milliseconds.isFinite {
      let days = (milliseconds / 86_400_000).rounded(.down)
      found = Int32(exactly: days).map(Day.init(ordinal:))
    } else {
      found =
        switch day.form {
        case .instant: try localDay(of: text, in: column, record, reading)
        case .monthFirst: ShortTime(text)?.day
        case .local, nil: Day(String(text.prefix(10))) ?? Self.namedDay(text)
        }
    }
    guard let found else { throw RowProblem(column: column, reason: "not a date (\(dateForm))") }
    do throws(Refusal) {
      try reading.parser.requireObservable(found)
    } catch {
      throw RowProblem(column: column, reason: error.reason)
    }
    return found
  }

  private var dateForm: String { day.form == .monthFirst ? "MM/DD/YY" : "YYYY-MM-DD" }

  /// The date of `Jun 2, 2026 12:00:00 AM`.
  private static func namedDay(_ text: String) -> Day? {
    var date = text.split(separator: " ").prefix(3).joined(separator: " ")
    return date.withUTF8 { NamedDate($0)?.day }
  }

  /// The date of an instant on the person's clock: that of the record's offset, or else of the person's zone.
  private func localDay(
    of text: String, in column: String, _ record: ArchiveRecords.Record, _ archive: ArchiveReading
  ) throws(RowProblem) -> Day? {
    guard let reading = ClockReading(text) else { return nil }
    // A text with an offset of its own is on the person's clock.
    if let own = reading.offset, own != 0 { return reading.day }
    if let name = day.offset, let offset = record(name).flatMap(ClockReading.offset) {
      return Day(ordinal: ZoneRules.day(reading.microseconds + Int64(offset) * 1_000_000))
    }
    guard let zone = archive.zone else {
      throw RowProblem(
        column: column, reason: "a time in UTC of a person whose time zone is not known")
    }
    return Day(ordinal: zone.day(of: reading.microseconds))
  }

  /// The instant of a time; nil where it is not known on which clock it was written.
  func instant(of text: String, _ record: ArchiveRecords.Record) -> Timestamp? {
    guard let reading = ClockReading(text) else { return nil }
    let offset =
      reading.offset ?? (day.form == .instant ? 0 : nil)
      ?? day.offset.flatMap(record).flatMap(ClockReading.offset)
    return offset.map {
      Timestamp(microseconds: reading.microseconds - Int64($0) * 1_000_000)
    }
  }
}
