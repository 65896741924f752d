import GRDB
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  /// How the schema differs from what the migrations of this version make.
  func catalogueFindings() throws -> [Finding] {
    let expected = try Self.migratedCatalogue()
    return try read { db in
      let found = try Self.catalogue(of: db)
      // An app may have a view in the place of an input table.
      let views = Set(
        try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'view'"))
      return Finding.onCatalogue(
        CatalogueComparison(
          of: found, with: expected, foreign: views.intersection(InputTable.all.map(\.name))),
        backup: "the newest \(backupPattern)")
    }
  }

  /// What the migrations make of an empty database.
  private static func migratedCatalogue() throws -> [CatalogueEntry] {
    try DatabaseQueue().write { db in
      for script in [SchemaMigrations.ledger] + SchemaMigrations.all.map(\.up) {
        try db.execute(sql: SQLiteSession.library.rendering(script, of: "").sql)
      }
      return try catalogue(of: db)
    }
  }

  private static func catalogue(of db: Database) throws -> [CatalogueEntry] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return rows.flatMap { row -> [CatalogueEntry] in
      let (type, name, table): (String, String, String) = (row[0], row[1], row[2])
      let text = SchemaText(row[3])
      switch type {
      case "table": return entries(of: text, table: name)
      case "index": return [CatalogueEntry(.index, of: table, named: name, text.normalized)]
      case "trigger": return [CatalogueEntry(.trigger, of: table, named: name, text.normalized)]
      default: return []
      }
    }
  }

  private static func entries(of text: SchemaText, table: String) -> [CatalogueEntry] {
    let (definitions, options) = text.parts
    let ofTable = CatalogueEntry(.table, of: table, named: table, options)
    return [ofTable]
      + definitions.map { words in
        let definition = words.joined(separator: " ")
        switch words.first {
        case "CONSTRAINT":
          return CatalogueEntry(
            .constraint, of: table, named: words.dropFirst().first ?? "", definition)
        case "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
          return CatalogueEntry(.constraint, of: table, named: definition, definition)
        default:
          return CatalogueEntry(.column, of: table, named: words.first ?? "", definition)
        }
      }
  }
}
