import PostgresTestServer
import Testing
import VigilSQL
import VigilStorage

@Suite("SQL with open places")
struct SQLTemplateTests {
  private func postgres(_ sql: String, schema: String = "care") -> String {
    SQLTemplate(schema: schema, dialect: .postgres).render(sql)
  }

  @Test("the schema becomes a quoted name, or a text")
  func schema() {
    #expect(postgres("SELECT 1 FROM {{schema}}.users") == #"SELECT 1 FROM "care".users"#)
    #expect(postgres("{{schema_name}}{{schema}}{{schema") == #"'care'"care"{{schema"#)
    #expect(postgres("") == "")
  }

  @Test("a parameter is a number in PostgreSQL and a place in SQLite")
  func parameters() {
    let sql = "SELECT $1, '$1', \"$1\", $name FROM {{schema}}.users"
    #expect(postgres(sql) == "SELECT $1, '$1', \"$1\", $name FROM \"care\".users")
    #expect(
      SQLTemplate(schema: "main", dialect: .sqlite).render(sql)
        == "SELECT ?1, '$1', \"$1\", $name FROM \"main\".users")
  }

  @Test("names are quoted, and take a qualifier; a list of expressions is rendered too")
  func fillings() {
    let template = SQLTemplate(schema: "care", dialect: .sqlite)
    let fillings: SQLFillings = [
      "table": .name("a\"b"), "columns": .names(["id", "{{schema}}"]),
      "values": .expressions([.parameter(1), .parameter(2)]),
      "last": .expression(.parameter(3).coalesced(with: .column("id").cast(to: "text"))),
    ]
    #expect(
      template.render(
        "{{schema}}.{{table}} ({{columns}}) ({{excluded.columns}}) {{values}} {{last}}", fillings)
        == "\"care\".\"a\"\"b\" (\"id\", \"{{schema}}\") (excluded.\"id\", excluded.\"{{schema}}\")"
        + " ?1, ?2 coalesce(?3, CAST(\"id\" AS text))")
    #expect(template.render("{{other}} '{{table}}'", fillings) == "{{other}} '{{table}}'")
  }

  @Test("the lists of Vigil's own tables have names")
  func columnLists() {
    #expect(
      postgres("({{stored.alert_settings}})")
        == "(stored.\"snooze_until\", stored.\"dismissed_at\", stored.\"acknowledged_at\","
        + " stored.\"acknowledged_by\")")
  }

  @Test("the words of a column have names")
  func wordLists() {
    #expect(
      postgres("channel IN ({{channels}})")
        == "channel IN ('push', 'sms', 'call', 'email', 'in_app')")
    #expect(postgres("{{sent_channels}}") == "'push', 'sms', 'call', 'email'")
    #expect(postgres("{{addressed_channels}}") == "'sms', 'call', 'email'")
    #expect(postgres("{{emergency_channels}}") == "'sms', 'call', 'email'")
    #expect(postgres("{{pending_reasons}}") == "'quiet_hours'")
  }

  @Test(
    "texts, quoted names and comments stay as they are",
    arguments: [
      "'{{schema}}'", #""a{{schema}}""#, "'it''s {{schema}}'", "-- isn't {{schema}}",
      #""{{schema}}; DROP TABLE users; --""#, "'{{schema}}",
    ])
  func leavesValues(sql: String) {
    #expect(postgres(sql) == sql)
    #expect(postgres("\(sql)\n") == "\(sql)\n")
  }

  @Test("what follows a comment or a minus is rendered")
  func followsComments() {
    #expect(postgres("-- isn't\n{{schema}}.f() - 1") == "-- isn't\n\"care\".f() - 1")
  }

  @Test(
    "the server takes any name for what it is",
    arguments: ["a\"b", "a'b", "a\\'b", "Öl {{schema}}"])
  func quotes(name: String) throws {
    let session = try PostgresSession(url: PostgresServer.shared().url())
    #expect(
      try session.rows(postgres("SELECT 1 AS {{schema}}", schema: name)).columns[0].name == name)
    #expect(
      try session.rows(postgres("SELECT {{schema_name}}", schema: name)).values == [[name]])
  }
}
