import Testing
import VigilSQL

@Suite("Named statements")
struct StatementBlockTests {
  @Test func aFileIsTakenApartIntoItsBlocks() throws {
    let blocks = try StatementBlock.blocks(
      of: """
        -- What the file is about.

        -- name: FindRun :many
        SELECT id -- the key
        FROM {{schema}}.batch_runs

        -- Of the next block.
        -- name: EndRun :exec
        UPDATE {{schema}}.batch_runs SET status = $1

        """)
    #expect(blocks.map(\.name) == ["FindRun", "EndRun"])
    #expect(blocks.map(\.kind) == [.many, .exec])
    #expect(blocks[0].text == "SELECT id -- the key\nFROM {{schema}}.batch_runs")
    #expect(blocks[1].text == "UPDATE {{schema}}.batch_runs SET status = $1")
    #expect(blocks.map(\.table) == ["batch_runs", "batch_runs"])
  }

  @Test(
    "a fault is named",
    arguments: [
      ("-- name: FindRun\nSELECT 1\n", "-- name: FindRun"),
      ("-- name: FindRun :one\nSELECT 1\n", "-- name: FindRun :one"),
      ("-- name: is_run :part\n", "is_run has no statement"),
      ("-- name: FindRun :many\n-- only a comment\n", "FindRun has no statement"),
    ])
  func aFaultIsNamed(file: String, part: String) {
    let fault = #expect(throws: StatementFault.self) { try StatementBlock.blocks(of: file) }
    #expect(fault?.description.contains(part) == true)
  }

  @Test("every name has its statement in both dialects", arguments: SQLDialect.allCases)
  func everyNameHasItsStatement(dialect: SQLDialect) throws {
    try expectAll(of: AlertStatement.self, dialect)
    try expectAll(of: EscalationStatement.self, dialect)
    try expectAll(of: FamilyStatement.self, dialect)
    try expectAll(of: HeldStatement.self, dialect)
    try expectAll(of: InputStatement.self, dialect)
    try expectAll(of: ProfileStatement.self, dialect)
    try expectAll(of: PruneStatement.self, dialect)
    try expectAll(of: QueueStatement.self, dialect)
    try expectAll(of: ReaderStatement.self, dialect)
    try expectAll(of: ResultStatement.self, dialect)
    try expectAll(of: RunStatement.self, dialect)
    try expectAll(of: SchemaStatement.self, dialect)
    try expectAll(of: WriteStatement.self, dialect)
  }

  @Test("what is neither of the schema nor of a test is of the server, or of nothing")
  func tablesThatMessagesName() throws {
    let blocks = try StatementBlock.blocks(
      of: """
        -- name: ListRoles :many
        SELECT rolname FROM pg_catalog.pg_roles
        -- name: FindServerProcess :many
        SELECT pg_backend_pid()
        """)
    #expect(blocks.map(\.table) == ["pg_roles", ""])
  }

  /// The kind of a block is that of its statement, and nothing is left open but parameters.
  private func expectAll<Name: StatementName>(of subject: Name.Type, _ dialect: SQLDialect) throws {
    let blocks = try StatementLibrary.blocks(of: subject, for: dialect).filter { $0.kind != .part }
    #expect(Set(blocks.map(\.name)) == Set(Name.allCases.map(\.blockName)))
    #expect(blocks.count == Name.allCases.count)
    for block in blocks {
      let isUpdate = block.text.hasPrefix("WITH") && block.text.contains("\nUPDATE ")
      let changes =
        isUpdate || ["INSERT", "UPDATE", "DELETE"].contains { block.text.hasPrefix($0) }
      #expect((block.kind == .exec) == changes, "\(block.name)")
      #expect(!block.table.isEmpty || block.text.contains("{{schema}}.{{table}}"), "\(block.name)")
    }
    let library = StatementLibrary(schema: "my \"own\"", dialect: dialect)
    for name in Name.allCases {
      let sql = library.statement(name, Self.fillings).sql
      #expect(!sql.contains("{{"), "\(name): \(sql)")
      #expect(dialect == .postgres || !sql.contains("$"), "\(name)")
      #expect(sql.contains("\"my \"\"own\"\"\"."), "\(name)")
    }
  }

  /// Fillings of the marks that drivers fill.
  private static let fillings: SQLFillings = [
    "values": .expressions([.parameter(1), .parameter(2)]), "rows": .parameterRows(2, ofColumns: 3),
    "staging": .name("staged"), "staged_columns": .names(["id"]),
    "table": .name("users"), "date": .name("day"), "origin": .expression(.null),
  ]
}
