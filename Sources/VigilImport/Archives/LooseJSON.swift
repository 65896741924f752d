import Foundation

/// JSON as some makers write it, made into JSON.
enum LooseJSON {
  /// The same with `null` where `NaN`, `Infinity` or `-Infinity` stands for a value, as Polar writes for what a sensor
  /// did not measure; texts stay as they are.
  static func withoutNaN(_ data: Data) -> Data {
    let words = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }
    let starts = words.map { $0[0] }
    return data.withUnsafeBytes { bytes in
      var result = Data(capacity: bytes.count)
      var isInText = false
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if isInText {
          if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
            result.append(byte)
            index += 1
          } else if byte == UInt8(ascii: "\"") {
            isInText = false
          }
        } else if byte == UInt8(ascii: "\"") {
          isInText = true
        } else if starts.contains(byte),
          let word = words.first(where: { bytes[index...].starts(with: $0) })
        {
          result.append(contentsOf: "null".utf8)
          index += word.count
          continue
        }
        result.append(bytes[index])
        index += 1
      }
      return result
    }
  }

  /// The same with `null` in the place of the lists and objects under some keys, which may be most of a file.
  static func without(_ keys: [String], _ data: Data) -> Data {
    let keys = keys.map { Array($0.utf8) }
    return data.withUnsafeBytes { bytes in
      var result = Data()
      var index = 0
      var copied = 0
      while index < bytes.count {
        guard bytes[index] == UInt8(ascii: "\"") else {
          index += 1
          continue
        }
        let end = endOfText(bytes, from: index)
        let name = bytes[(index + 1)..<max(index + 1, end - 1)]
        index = end
        guard keys.contains(where: { name.elementsEqual($0) }) else { continue }
        let colon = afterSpaces(bytes, from: end)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { continue }
        let value = afterSpaces(bytes, from: colon + 1)
        guard value < bytes.count, opens(bytes[value]) else { continue }
        result.append(contentsOf: bytes[copied..<value])
        result.append(contentsOf: "null".utf8)
        index = endOfValue(bytes, from: value)
        copied = index
      }
      result.append(contentsOf: bytes[copied...])
      return result
    }
  }

  private static func opens(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  private static func afterSpaces(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    bytes[start...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
  }

  /// The place after the text that begins at a quotation mark.
  private static func endOfText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }

  /// The place after the list or object that begins at a bracket.
  private static func endOfValue(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index = endOfText(bytes, from: index)
        continue
      }
      index += 1
      if opens(byte) {
        depth += 1
      } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return bytes.count
  }
}
