import Testing
import VigilStorage

@testable import VigilPostgres

@Suite("What a connection URL is called")
struct ConnectionTargetTests {
  @Test(arguments: [
    ("postgres://nurse:s3cret@db.example.org:5433/care", "postgres://db.example.org:5433/care"),
    ("postgresql://db.example.org/care?password=s3cret", "postgres://db.example.org/care"),
    ("postgres:///care?host=/run/pg&user=nurse", "postgres:///care?host=/run/pg"),
    ("postgres:///care", "postgres:///care"),
    ("postgres://db.example.org", "postgres://db.example.org"),
    ("postgres://", "postgres database of the environment"),
    ("postgres://?service=nightly", "postgres service nightly"),
  ])
  func nameWithoutSecrets(url: String, name: String) throws {
    #expect(try ConnectionTarget(url: url).displayName == name)
  }

  @Test(
    "a URL that libpq does not understand is refused without quoting it",
    arguments: ["postgres://h:s3cret@[/x", "postgres://h/x?s3cret=1", "postgres://h/a\0s3cret"])
  func malformed(url: String) throws {
    let error = #expect(throws: StorageError.self) { try ConnectionTarget(url: url) }
    #expect(error?.code == .unreachable)
    #expect(error?.description.contains("s3cret") == false)
  }
}
