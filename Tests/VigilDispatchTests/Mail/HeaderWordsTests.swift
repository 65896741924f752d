import Foundation
import Testing
import VigilStorage

@testable import VigilDispatch

@Suite("Words in headers of mail")
struct HeaderWordsTests {
  /// The text of encoded words, each of which is whole by itself (RFC 2047, section 5).
  private func decoded(_ encoded: String, after name: String) throws -> String {
    try (name + encoded).components(separatedBy: "\r\n ").enumerated().map { index, line in
      #expect(line.utf8.count <= 76)
      let word = index == 0 ? line.dropFirst(name.count) : line[...]
      #expect(word.utf8.count <= 75)
      #expect(word.hasPrefix("=?utf-8?B?") && word.hasSuffix("?="))
      let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
      return try #require(String(bytes: data, encoding: .utf8))
    }.joined()
  }

  @Test(
    "plain words stay", arguments: ["Steps: 7 days", "Steps, sleep (2): 40 %", "a@b", "x = y?", ""])
  func plain(text: String) {
    #expect(HeaderWords.subject(text) == text)
  }

  @Test(
    "other words are encoded",
    arguments: [
      "Größe", "=?utf-8?Q?x?=", " led by a space", "日本 👪",
      String(repeating: "Größe 日本 ", count: 20), String(repeating: "long ", count: 13),
      String(repeating: "👪", count: 39),
    ])
  func encoded(text: String) throws {
    #expect(try decoded(HeaderWords.subject(text), after: "Subject: ") == text)
    let name = HeaderWords.name(text)
    #expect(name.hasSuffix("\r\n"))
    #expect(
      try decoded(String(name.unicodeScalars.dropLast(2)), after: "From: ") == text)
  }

  @Test("the name of a sender is encoded where a sign in it has a meaning")
  func names() throws {
    #expect(HeaderWords.name("Vigil of Acme-Care") == "Vigil of Acme-Care")
    for name in ["Acme, Inc", "Vigil <eve@example.org>", #"a "b""#, "a  b", "Dr. Ö", ""] {
      let encoded = HeaderWords.name(name)
      #expect(
        try decoded(String(encoded.unicodeScalars.dropLast(2)), after: "From: ") == name)
    }
  }

  @Test(
    "no sign ends a line",
    arguments: ["\r\n", "\n", "\r", "\0", "\u{85}", "\u{2028}", "\u{0B}", "\t"])
  func control(sign: String) throws {
    let spaces = String(repeating: " ", count: sign.unicodeScalars.count)
    #expect(HeaderWords.subject("a\(sign)Bcc: b") == "a\(spaces)Bcc: b")
  }

  @Test(
    "the body is plain where each server passes it on, and base64 elsewhere",
    arguments: [
      ("Less.\nMore.", "7bit"), ("", "7bit"), (".\r\n.", "7bit"), ("ä", "base64"),
      ("a\0b", "base64"),
      (String(repeating: "x", count: 998), "7bit"), (String(repeating: "x", count: 999), "base64"),
    ])
  func body(text: String, encoding: String) throws {
    let mail = MailMessage(
      Message(language: "en", subject: "Steps", text: text), to: "anna@example.org",
      from: MailServer(url: "smtp://localhost", sender: "vigil@example.org"), key: "key",
      date: try sampleRow().scheduledFor)
    let bytes = Array(mail.data)
    // Each CR has its LF, and each LF its CR.
    for (index, byte) in bytes.enumerated() {
      if byte == 13 { #expect(bytes[index + 1] == 10) }
      if byte == 10 { #expect(bytes[index - 1] == 13) }
    }
    let parts = String(decoding: mail.data, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    #expect(parts[0].hasSuffix("\r\nContent-Transfer-Encoding: \(encoding)"))
    let body = parts.dropFirst().joined(separator: "\r\n\r\n")
    let words =
      encoding == "7bit"
      ? body
      : String(
        decoding: try #require(Data(base64Encoded: body, options: .ignoreUnknownCharacters)),
        as: UTF8.self)
    #expect(
      words
        == text.replacingOccurrences(of: "\r\n", with: "\n")
        .replacingOccurrences(of: "\n", with: "\r\n") + "\r\n")
  }
}
