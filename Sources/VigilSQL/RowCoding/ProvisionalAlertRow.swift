import VigilStorage

/// The row of a `ProvisionalAlert`: that of the alert, then the columns of its mark.
enum ProvisionalAlertRow {
  static let table = "provisional_alerts"

  static func decode(_ row: inout some RowReader) throws -> ProvisionalAlert {
    let alert = try AlertStateRow.decode(&row)
    let confirmed = try row.textIfPresent().map { text in
      var stored = try RowText.Reader(text, column: "confirmed", of: table)
      return try AlertStateRow.decode(&stored)
    }
    return try ProvisionalAlert(
      row: alert, confirmed: confirmed, revision: row.int(), notifiedLevel: row.levelIfPresent(),
      shadowNotifiedLevel: row.levelIfPresent(), sentLevel: row.levelIfPresent())
  }
}
