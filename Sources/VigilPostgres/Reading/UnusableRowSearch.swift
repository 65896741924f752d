import Foundation
import VigilModel
import VigilSQL
import VigilStorage

/// Looks for the rows of one input table or view that nobody can use.
struct UnusableRowSearch {
  let table: InputTable
  let days: ClosedRange<Day>
  let connection: Connection
  let database: String

  private var date: String { table.dayColumn }

  /// - Throws: `PostgresError`, `StorageError`.
  func run(into rows: inout UnusableRows) throws {
    guard let constraints = try constraints(), !constraints.ruleOutEverything else { return }
    if !constraints.havePerson { try add(.noPerson, where: noPerson, to: &rows) }
    guard !constraints.knowPerson || !constraints.haveDate else { return }
    let suspects = try suspects()
    let strangers = suspects.filter(\.isStranger).map(\.id)
    if !strangers.isEmpty {
      try add(.unknownPerson, of: strangers, where: "\(date) BETWEEN $1 AND $2", to: &rows)
    }
    let undated = suspects.filter(\.hasBadDate).map(\.id)
    if !undated.isEmpty {
      try add(.noDate, of: undated, where: "\(date) IS NULL", to: &rows)
      try add(.impossibleDate, of: undated, where: impossibleDate, to: &rows)
    }
  }

  // MARK: Constraints

  /// What the constraints of the table promise; a view has none.
  private struct Constraints {
    var havePerson: Bool
    var knowPerson: Bool
    var haveDate: Bool

    var ruleOutEverything: Bool { havePerson && knowPerson && haveDate }
  }

  /// Nil where there is no such table.
  private func constraints() throws -> Constraints? {
    let parameters = Parameters {
      $0.put(table.name)
      $0.put("\(table.name)_date_is_date")
      $0.put(date)
    }
    return try connection.rows(
      """
      SELECT
        person.attnotnull,
        EXISTS (
          SELECT FROM pg_constraint
          WHERE conrelid = person.attrelid AND contype = 'f' AND convalidated
            AND confrelid = \(Connection.relation("'users'"))
              AND conkey = ARRAY[person.attnum]),
        date.attnotnull AND EXISTS (
          SELECT FROM pg_constraint
          WHERE conrelid = person.attrelid AND contype = 'c' AND convalidated AND conname = $2)
      FROM pg_attribute AS person
      JOIN pg_attribute AS date ON date.attrelid = person.attrelid AND date.attname = $3
      WHERE person.attrelid = \(Connection.relation("$1"))
        AND person.attname = 'user_id'
      """, parameters,
      place: .init(database: database, table: table.name)
    ) { try Constraints(havePerson: $0.bool(), knowPerson: $0.bool(), haveDate: $0.bool()) }.first
  }

  // MARK: Persons

  private struct Suspect {
    var id: UUID
    var isStranger: Bool
    var hasBadDate: Bool
  }

  /// One step along the index from the last row of a person to that of the one before; no date and
  /// infinity are the last there are.
  static func suspectsQuery(_ table: String, dated date: String) -> String {
    """
    WITH RECURSIVE person (id, latest) AS (
      (
        SELECT user_id, \(date) FROM {{schema}}.\(table) WHERE user_id IS NOT NULL
        ORDER BY user_id DESC, \(date) DESC LIMIT 1
      )
      UNION ALL
      SELECT previous.user_id, previous.\(date) FROM person CROSS JOIN LATERAL (
        SELECT user_id, \(date) FROM {{schema}}.\(table) WHERE user_id < person.id
        ORDER BY user_id DESC, \(date) DESC LIMIT 1
      ) AS previous
    ), judged AS (
      SELECT
        id,
        NOT EXISTS (SELECT FROM {{schema}}.users WHERE users.id = person.id) AS is_stranger,
        latest IS NULL OR latest > DATE '9999-12-31' OR coalesce((
          SELECT TRUE FROM {{schema}}.\(table)
          WHERE user_id = person.id AND \(date) < DATE '0001-01-01' LIMIT 1
        ), FALSE) AS has_bad_date
      FROM person
    )
    SELECT id, is_stranger, has_bad_date FROM judged WHERE is_stranger OR has_bad_date
    """
  }

  private func suspects() throws -> [Suspect] {
    try connection.rows(
      Self.suspectsQuery(table.name, dated: date),
      place: .init(
        database: database, table: table.name)
    ) { try Suspect(id: $0.uuid(), isStranger: $0.bool(), hasBadDate: $0.bool()) }
  }

  // MARK: Rows

  private var impossibleDate: String {
    "\(date) NOT BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
  }

  private var noPerson: String {
    "user_id IS NULL AND (\(date) BETWEEN $1 AND $2 OR \(date) IS NULL OR \(impossibleDate))"
  }

  /// Adds the rows that meet a condition, in which `$1` and `$2` are the days.
  private func add(
    _ reason: UnusableRow.Reason, of persons: [UUID]? = nil, where condition: String,
    to rows: inout UnusableRows
  ) throws {
    let parameters = Parameters {
      $0.put(days.lowerBound)
      $0.put(days.upperBound)
      if let persons { $0.put(persons) }
    }
    let place = ResultRow.Place(database: database, table: table.name)
    // The days are parameters of every query, used or not.
    let found = """
      FROM {{schema}}.\(table.name), (SELECT $1::date, $2::date) AS days
      WHERE \(persons == nil ? "" : "user_id = ANY ($3) AND ")(\(condition)) AND \(table.isInput)
      """
    let count = try connection.rows("SELECT count(*) \(found)", parameters, place: place) {
      try $0.int()
    }
    let key = table.key.map { "coalesce(left(\($0)::text, 200), '')" }.joined(separator: ", ")
    let keys = try connection.rows(
      """
      SELECT concat_ws(',', \(key)) \(found)
      ORDER BY user_id, \(date) LIMIT \(UnusableRows.mostDetails)
      """, parameters, place: place
    ) { $0.text() }
    rows.add(count.reduce(0, +), of: table.name, reason, keys: keys)
  }
}
