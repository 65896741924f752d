import Foundation
import TestDatabases
import TestSupport

/// Numbers, days and instants at the ends of what a place can hold, and just beyond what calculations bear.
enum ExtremeNumbers {
  /// As JSON, CSV and an argument have them.
  static let integers = [
    "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551616", "2147483647", "-2147483648", "2147483648", "4294967296", "65536", "256",
    "1000000000000000000",
  ]
  static let reals = [
    "-0.0", "1e308", "-1e308", "1.7976931348623157e308", "3.4e38", "-3.4e38", "1e100", "9.99e99",
    "5e-324", "2.2250738585072014e-308", "1e-300", "9.3e18", "1e19", "0.1", "255.9",
  ]
  /// Texts that some readers take for a number.
  static let others = ["nan", "inf", "-inf", "1e999", "", "0x10", "1_000", "１２", "1e", "--1"]
  static let days = [
    "0001-01-01", "0001-01-02", "9999-12-31", "9999-12-30", "1970-01-01", "1899-12-31",
    "2026-02-29",
    "2026-06-30",
  ]
  static let instants = [
    "0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z",
    "2026-06-30T23:59:59.999999Z", "3000-01-01T00:00:00.000000Z",
  ]
  private static let ages = [
    "9223372036854775807s", "9223372036854775807m", "153722867280912931w", "100%", "1e308%",
    "1/9223372036854775807", "0/0",
  ]

  /// Any of them, as an argument or a variable has it.
  static let texts = integers + reals + others + days + instants + ages

  /// A value of a column as SQL, or nil for a column of another type.
  ///
  /// - Parameter present: One of its values.
  static func value(
    ofType type: String, present: String?, random: inout SeededGenerator
  ) -> String? {
    switch type {
    case "INTEGER", "bigint": random.pick(integers.filter { Int($0) != nil })
    case "integer": random.pick(integers.filter { Int32($0) != nil })
    case "REAL": random.pick(reals + ["9e999", "-9e999", "0", "-1"])
    case "double precision":
      "'\(random.pick(reals + ["NaN", "Infinity", "-Infinity", "0", "-1"]))'"
    case "date":
      "'\(random.pick(days.filter { !$0.hasSuffix("02-29") } + ["infinity", "-infinity"]))'"
    case "timestamp with time zone": "'\(random.pick(instants + ["infinity", "-infinity"]))'"
    case "TEXT", "jsonb", "text": present.flatMap { text(like: $0, random: &random) }
    default: nil
    }
  }

  /// A text of the form of another one; nil for one that has no numbers.
  private static func text(like present: String, random: inout SeededGenerator) -> String? {
    if present.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil { return "'\(random.pick(days))'" }
    if present.wholeMatch(of: /\d{4}-\d\d-\d\dT.*Z/) != nil { return "'\(random.pick(instants))'" }
    guard let first = present.first, "[{".contains(first) else { return nil }
    let document = replacingNumbers(in: present, share: 0.5, random: &random)
    return "'\(document.replacing("'", with: "''"))'"
  }

  /// A JSON document with other numbers in place of some of its own.
  static func replacingNumbers(
    in document: String, share: Double, random: inout SeededGenerator
  ) -> String {
    var random = random
    return document.replacing(/([:\[,]\s*)(-?\d+(?:\.\d+)?)(?=\s*[,\]}])/) { match in
      random.chance(share)
        ? "\(match.output.1)\(random.pick(integers + reals))" : String(match.output.0)
    }
  }
}

extension TestDatabase {
  /// Takes away what keeps values out of tables.
  func dropConstraints() throws {
    guard kind == .postgres else { return }
    try execute(
      """
      DO $$
      DECLARE
        stated record;
      BEGIN
        FOR stated IN
          SELECT conrelid::regclass AS place, conname FROM pg_constraint
          WHERE contype IN ('c', 'f') AND connamespace = quote_ident(current_schema())::regnamespace
        LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', stated.place, stated.conname);
        END LOOP;
      END
      $$
      """)
  }

  /// The names and types of the columns of a table.
  func columns(of table: String) throws -> [(name: String, type: String)] {
    let lines =
      switch kind {
      case .sqlite: try rows("SELECT name, type FROM pragma_table_info('\(table)')")
      case .postgres:
        try rows(
          """
          SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
          WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped
          """)
      }
    return lines.map { line in
      let parts = line.split(separator: "|").map(String.init)
      return (parts[0], parts[1])
    }
  }

  /// The tables that hold rows.
  func filledTables() throws -> [String] {
    let names =
      switch kind {
      case .sqlite:
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      case .postgres:
        try rows(
          """
          SELECT relname FROM pg_class
          WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'
          """)
      }
    return try names.sorted().filter { $0 != "schema_migrations" && !$0.hasPrefix("_") }
      .filter { try count($0) > 0 }
  }

  /// Puts a value into rows of a table; false where it does not take it, such as a key twice.
  func force(
    _ value: String, into column: String, of table: String, where condition: String = ""
  ) -> Bool {
    let pragma = kind == .sqlite ? "PRAGMA ignore_check_constraints = ON; " : ""
    let update = "\(pragma)UPDATE \(table) SET \(column) = \(value) \(condition)"
    return (try? executeWithoutReferences(update)) != nil
  }
}
