import GRDB
import VigilSQL
import VigilStorage

extension SQLiteStorage {
  /// The differences between the schema and the one that the migrations of this version make.
  func catalogueFindings() throws -> [Finding] {
    let expected = try Self.migratedCatalogue()
    return try read { db in
      let found = try Self.catalogue(of: db)
      // An app may have a view in the place of an input table.
      var views: Set<String> = []
      try RawStatement(FileStatement.listViews, on: db).forEachRow { views.insert($0.text(0)) }
      return Finding.onCatalogue(
        CatalogueComparison(
          of: found, with: expected, foreign: views.intersection(InputTable.ofRuns.map(\.name))),
        backup: "the newest \(backupPattern)")
    }
  }

  /// The entries that the migrations make of an empty database.
  private static func migratedCatalogue() throws -> [CatalogueEntry] {
    try DatabaseQueue().write { db in
      for script in [SchemaMigrations.ledger] + SchemaMigrations.all.map(\.up) {
        try db.execute(sql: SQLiteSession.library.script(script))
      }
      return try catalogue(of: db)
    }
  }

  private static func catalogue(of db: Database) throws -> [CatalogueEntry] {
    var entries: [CatalogueEntry] = []
    try RawStatement(FileStatement.listSchemaObjects, on: db).forEachRow { row in
      let (type, name, table) = (row.text(0), row.text(1), row.text(2))
      let text = SchemaText(row.text(3))
      switch type {
      case "table": entries += self.entries(of: text, table: name)
      case "index":
        entries.append(CatalogueEntry(.index, of: table, named: name, text.normalized))
      case "trigger":
        entries.append(CatalogueEntry(.trigger, of: table, named: name, text.normalized))
      default: break
      }
    }
    return entries
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
