import VigilModel
import VigilSQL
import VigilStorage

/// The columns that keep an app's own `vitality_scores` from accepting the rows that runs compute.
///
/// Of a view's columns only the types are known.
struct ScoreColumns {
  let connection: Connection
  let database: String

  fileprivate static let table = VitalityScoreRow.table

  // MARK: Texts

  struct UnfitColumn {
    var name: String
    /// As SQL writes it.
    var type: String

    /// The fault of the column, and its remedy.
    var fault: (detail: String, remedy: String) {
      (
        "\(ScoreColumns.table).\(name) is \(type), which does not hold what runs write into it",
        "make it text: ALTER TABLE \(ScoreColumns.table) ALTER COLUMN \(name) TYPE text;"
          + " or add the word 'vigil' to an enumeration of sources"
      )
    }
  }

  /// Columns whose types refuse or shorten the texts that are meant for them.
  ///
  /// A cast to a type of limited length shortens silently, and a source that is not `vigil` would
  /// be another program's.
  ///
  /// - Parameter texts: By column.
  /// - Throws: `PostgresError`.
  func unfit(for texts: KeyValuePairs<String, String>) throws -> [UnfitColumn] {
    let parameters = Parameters {
      $0.put(texts.map(\.key))
      $0.put(texts.map(\.value))
    }
    return try connection.rows(
      DiagnosisStatement.listUnfitScoreColumns, parameters, database: database
    ) { UnfitColumn(name: $0.text(), type: $0.text()) }
  }

  /// - Throws: `PostgresError`; `StorageError` with `.unknownColumn` where a column cannot take its text.
  func requireFit(for texts: KeyValuePairs<String, String>) throws {
    guard let unfit = try unfit(for: texts).first else { return }
    throw StorageError(
      .unknownColumn, "\(unfit.fault.detail), in \(database)", remedy: .advice(unfit.fault.remedy))
  }

  // MARK: Columns that must have a value

  /// Columns that are NOT NULL and that runs leave empty, always or where a pillar has no score.
  ///
  /// What a trigger fills is not known, so a table with one before the insert has none.
  ///
  /// - Throws: `PostgresError`.
  func neverFilled() throws -> [String] {
    let always = VitalityScoreRow.columns.filter { !VitalityScoreRow.scores.contains($0) }
    let parameters = Parameters {
      $0.put(always)
      $0.put(VitalityScoreRow.scores)
    }
    return try connection.rows(
      DiagnosisStatement.listNeverFilledScoreColumns, parameters, database: database
    ) { $0.text() }
  }

  // MARK: Findings

  /// As `vigil doctor` names them; none where all is well.
  ///
  /// - Throws: `PostgresError`.
  func findings() throws -> [Finding] {
    let words: KeyValuePairs = [
      "schema_version": "vitality.v1", "source": VitalityScore.computedSource,
    ]
    let unfit = try unfit(for: words).map(\.fault)
    let empty = try neverFilled().map { name in
      (
        detail: "\(Self.table).\(name) must have a value, and runs "
          + (VitalityScoreRow.scores.contains(name)
            ? "have none where the data do not suffice for a score" : "do not know it"),
        remedy: "ALTER TABLE \(Self.table) ALTER COLUMN \(name.quotedIdentifier) DROP NOT NULL;"
          + (VitalityScoreRow.scores.contains(name) ? "" : "  or give it a default")
      )
    }
    return (unfit + empty).map {
      Finding(check: "inputs", status: .failure, detail: $0.detail, remedy: .advice($0.remedy))
    }
  }
}
