public import VigilStorage

extension HistoryBlock {
  /// The columns of the table of a subject, in the order of `put`.
  public static func columns(of subject: HistorySubject) -> [String] {
    [subject.owner, "first_day", "last_day", "layout", "rows"]
  }

  public func put(layout: Int, into row: some RowWriter) {
    row.put(owner)
    row.put(days.lowerBound)
    row.put(days.upperBound)
    row.put(layout)
    row.put(rows)
  }
}

extension HistorySubject {
  /// The marks of statements about the copies of a subject.
  public var fillings: SQLFillings { ["copies": .name(table), "owner": .name(owner)] }
}
