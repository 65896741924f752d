public import Foundation
public import VigilAdherence
public import VigilModel
public import VigilStorage

extension PostgresStorage {
  public func hasMedications() throws -> Bool {
    try withConnection { try $0.hasMedications() }
  }

  public func doseAnalytics(
    of users: [UUID]?, period: AdherencePeriod.Kind, endingOn day: Day?
  ) throws -> [StoredDoseAnalytics] {
    let table = DoseAnalyticsRow.table
    let parameters = Parameters {
      $0.put(period.rawValue)
      $0.put(day)
      $0.put(users ?? [])
    }
    return try rows(
      Self.analyticsQuery(ofEverybody: users == nil, onOneDay: day != nil), parameters, of: table,
      columns: DoseAnalyticsRow.readColumns
    ) { try DoseAnalyticsRow.decode($0) }
  }

  /// `$1` is the kind of period, `$2` its end, `$3` a list of persons.
  static func analyticsQuery(ofEverybody isOfEverybody: Bool, onOneDay isOnOneDay: Bool) -> String {
    let table = DoseAnalyticsRow.table
    let newest = """
      (SELECT max(newest.period_end) FROM \(table) AS newest
        WHERE newest.user_id = \(table).user_id AND newest.period_kind = $1)
      """
    return """
      SELECT \(DoseAnalyticsRow.readColumns.joined(separator: ", ")) FROM \(table)
      WHERE period_kind = $1 AND period_end = \(isOnOneDay ? "$2" : newest)
        \(isOfEverybody ? "" : "AND user_id = ANY ($3)")
      ORDER BY user_id, medication_id NULLS FIRST
      """
  }

  // MARK: Writing

  func writeAdherence(of batch: BatchWrite, on connection: Connection) throws {
    guard let adherence = batch.adherence else { return }
    let versionKey = ScheduleVersionRow.key.joined(separator: ", ")
    try insert(
      adherence.versions, into: ScheduleVersionRow.table, columns: ScheduleVersionRow.columns,
      onConflict: "(\(versionKey)) \(ScheduleVersionRow.conflict)", on: connection
    ) { ScheduleVersionRow.put($0, of: batch, into: $1) }
    var staging: StagingTable?
    if !adherence.analytics.isEmpty {
      let staged = try stage(
        adherence.analytics, of: DoseAnalyticsRow.table, columns: DoseAnalyticsRow.columns,
        on: connection
      ) {
        DoseAnalyticsRow.put(
          $0, id: $0.id, of: batch, evaluatedAt: adherence.evaluatedAt, into: $1)
      }
      try insert(
        staged, onConflict: "(id) \(DoseAnalyticsRow.conflict(.postgres))", on: connection)
      staging = staged
    }
    for evaluation in adherence.evaluations {
      try takeBackOthers(than: staging, evaluation, on: connection)
    }
  }

  private func takeBackOthers(
    than staging: StagingTable?, _ evaluation: AdherenceWrite.Evaluation, on connection: Connection
  ) throws {
    let parameters = Parameters {
      $0.put(evaluation.persons)
      $0.put(evaluation.kinds.map(\.rawValue))
      $0.put(evaluation.ends.lowerBound)
      $0.put(evaluation.ends.upperBound)
    }
    let isOther = staging.map {
      "AND NOT EXISTS (SELECT FROM pg_temp.\($0.name) AS staged WHERE staged.id = stored.id)"
    }
    try connection.run(
      """
      DELETE FROM \(DoseAnalyticsRow.table) AS stored
      WHERE user_id = ANY ($1) AND period_kind = ANY ($2) AND period_end BETWEEN $3 AND $4
        \(isOther ?? "")
      """, parameters)
  }

  func insert<Row>(
    _ rows: [Row], into table: String, columns: [String], onConflict conflict: String,
    on connection: Connection, _ put: (Row, WireBuffer) -> Void
  ) throws {
    guard !rows.isEmpty else { return }
    let staging = try stage(rows, of: table, columns: columns, on: connection, put)
    try insert(staging, onConflict: conflict, on: connection)
  }

  func insert(
    _ staging: StagingTable, onConflict conflict: String, on connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO \(staging.target) (\(staging.quotedColumns.joined(separator: ", ")))
      SELECT \(staging.castColumns.joined(separator: ", ")) FROM pg_temp.\(staging.name)
      ORDER BY \(StagingTable.ordinal)
      ON CONFLICT \(conflict)
      """)
  }
}

extension Connection {
  func hasMedications() throws -> Bool {
    try run("SELECT 1 FROM medications LIMIT 1").rowCount > 0
  }
}
