import Foundation
import TestSupport
import Testing

@testable import VigilImport

@Suite struct HealthTextTests {
  /// Bytes that come a few at a time.
  private final class Trickle: ByteSource {
    let path = "trickle.xml"
    private let bytes: [UInt8]
    private let size: Int
    private var position = 0

    init(_ bytes: [UInt8], size: Int) {
      self.bytes = bytes
      self.size = size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      let count = min(size, buffer.count, bytes.count - position)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }

    func rewind() throws { position = 0 }
  }

  private func read(_ text: HealthText, by size: Int) throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try text.read(into: $0) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }

  @Test func dropsTheSameHoweverTheBytesCome() throws {
    let clean =
      "<HealthData a=\"Mia’s Uhr é &amp; \u{FFFD}\u{ED} &#xE9; &#233;\">\n\ttext</HealthData>"
    let dirty = clean.replacing("Uhr", with: "U\u{0}h\u{1F}r&#1;\u{FFFF}").replacing(
      "text", with: "te&#xFFFE;xt\u{8}&#55296;")
    let type = "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<!DOCTYPE HealthData [\n<!ELEMENT x\n]>\n"
    for size in [16, 17, 19, 23, 64, 4096] {
      for trickle in [1, 2, 3, 7, 4096] {
        let source = Trickle(Array((type + dirty).utf8), size: trickle)
        let text = HealthText(source)
        for _ in 1...2 {
          #expect(
            try read(text, by: size) == "<?xml version=\"1.0\"?>\n<!-- <a> -->\n\n\n\n" + clean)
          #expect(text.droppedCount == 7)
          #expect(text.hasDocumentType)
          try text.rewind()
        }
      }
    }
  }

  /// An attribute of several lines, or one that is not whole in the bytes at hand, stays.
  @Test func devicesAreLeftOut() throws {
    let device = #" device="&lt;&lt;HKDevice: 0x28&gt;, name:W\u{0}atch&gt;""#
    let record = "<Record type=\"a\"\(device) value=\"1\"/>\n"
    let rest = "<Note text=' device=\"'/>\n<Note device=\"two\nlines\"/> device=\""
    let text = String(repeating: record, count: 20) + rest
    #expect(
      try read(HealthText(Trickle(Array(text.utf8), size: 1 << 16)), by: 1 << 16)
        == String(repeating: "<Record type=\"a\" value=\"1\"/>\n", count: 20) + rest)
    #expect(
      try read(HealthText(Trickle(Array(record.utf8), size: 1 << 16)), by: 7)
        == record.replacing("\u{0}", with: ""))
  }

  @Test func aTextWithoutADocumentTypeStaysAsItIs() throws {
    for xml in ["", "<", "<a>", "no XML", "<HealthData/>", "&#12", "a&", "<?xml?><!-- x"] {
      let text = HealthText(Trickle(Array(xml.utf8), size: 1))
      #expect(try read(text, by: 32) == xml)
      #expect(!text.hasDocumentType)
    }
  }

  @Test func aFileThatDeclaresEntitiesIsRefusedWithItsLine() throws {
    let text = HealthText(
      Trickle(Array("<!DOCTYPE x [\n<!ENTITY a \"<b>\">]><x/>".utf8), size: 5))
    let error = try #require(throws: ImportError.self) { try read(text, by: 32) }
    #expect(error.message.contains("trickle.xml:2: the file declares entities"))
  }
}
