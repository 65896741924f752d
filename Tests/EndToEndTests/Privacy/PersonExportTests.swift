import Foundation
import TestDatabases
import TestSupport
import Testing
import VigilModel
import VigilStorage

/// `vigil person export`.
@Suite struct PersonExportTests {
  private struct Manifest: Decodable {
    struct File: Decodable {
      var name: String
      var table: String
      var rows: Int
      var bytes: Int
      var sha256: String
    }

    var person: String
    var files: [File]
  }

  @Test(arguments: DatabaseKind.allCases)
  func theArchiveHasEveryTableAndNothingOfOthers(kind: DatabaseKind) async throws {
    let data = try PersonalDatabase(kind)
    let out = data.folder.url
    let exported = try await data.vigil(
      "person", "export", data.person, "--out", "p.zip", key: false)
    #expect(exported.status == 0, "\(exported.errors)")
    let unpacked = try await CommandRun.command(
      ["/usr/bin/python3", "-m", "zipfile", "-e", "p.zip", "unpacked"], in: data.folder)
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    let folder = out.appending(path: "unpacked")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let manifest = try decoder.decode(
      Manifest.self, from: Data(contentsOf: folder.appending(path: "manifest.json")))
    #expect(manifest.person == data.person)
    // Whom others want called first, and have excluded, is theirs alone; so is what is in their rows.
    let tables = PersonalTable.all.filter(\.isExported).map(\.name).filter {
      kind == .postgres || !["person_locks", "sharing_grants"].contains($0)
    }
    #expect(Set(manifest.files.map(\.table)) == Set(tables))
    for file in manifest.files {
      let contents = try Data(contentsOf: folder.appending(path: file.name))
      #expect(contents.count == file.bytes && SHA256.hexadecimal(of: contents) == file.sha256)
      let lines = String(decoding: contents, as: UTF8.self).split(separator: "\n")
      if file.name.hasSuffix(".jsonl") {
        #expect(lines.count == file.rows)
        for line in lines {
          let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          #expect(row != nil)
        }
      }
    }
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    let medications = try data.database.rows(
      "SELECT name FROM medications WHERE user_id = '\(data.person)'")
    for name in medications { #expect(try text("medications.csv").contains(name)) }
    for file in ["alert_recipient_exclusions.jsonl", "caregiver_priority.jsonl"] {
      #expect(
        try text(file).split(separator: "\n").allSatisfy {
          $0.contains(#"user_id":"\#(data.person)""#)
        })
    }
    // Of the call about another person: what this one did, and not whom it was about.
    let calls = try text("escalation_log.jsonl").split(separator: "\n")
    let named = try #require(calls.first { $0.contains(PersonalDatabase.uuid(4)) })
    #expect(named.contains(data.person) && !named.contains(data.other))
    #expect(try !text("escalation_log.jsonl").contains(PersonalDatabase.uuid(5)))
    let addressed = try text("notification_queue.jsonl").split(separator: "\n").filter {
      !$0.contains(#""member_user_id":"\#(data.person)""#)
    }
    #expect(addressed.allSatisfy { $0.contains(#""payload":null"#) })

    let again = try await data.vigil("person", "export", data.person, "--out", "p.zip")
    #expect(again.status == 73)
    let forced = try await data.vigil("person", "export", data.person, "--out", "p.zip", "--force")
    #expect(forced.status == 0, "\(forced.errors)")
  }
}
