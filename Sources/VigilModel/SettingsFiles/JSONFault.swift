package import Foundation

/// The place in a text where it stops being JSON, in words.
///
/// The decoder only reports that a text is no JSON; the message of `JSONSerialization` also names
/// the place. Where that message has an unexpected form, no place is named.
package struct JSONFault: CustomStringConvertible {
  package let description: String

  package init(in data: Data) {
    switch Self.place(in: data) {
    case .end:
      let line = Self.line(at: data.count, of: data)
      description = "cut short in line \(line.number); copy the file again"
    case .byte(let offset):
      let line = Self.line(at: offset, of: data)
      description =
        "mistyped in line \(line.number), column \(line.column); fix the file or copy it again"
    case nil:
      description = "mistyped or cut short; fix the file or copy it again"
    }
  }

  private enum Place {
    case end
    case byte(Int)
  }

  private static func place(in data: Data) -> Place? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
      return nil
    } catch {
      let said = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
      if said.contains("end of file") { return .end }
      guard let offset = said.firstMatch(of: /around character ([0-9]+)/).flatMap({ Int($0.1) }),
        offset <= data.count
      else { return nil }
      return .byte(offset)
    }
  }

  /// Both from 1; the column counts bytes.
  private static func line(at offset: Int, of data: Data) -> (number: Int, column: Int) {
    let before = data.prefix(offset).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (before.count, (before.last?.count ?? 0) + 1)
  }
}
