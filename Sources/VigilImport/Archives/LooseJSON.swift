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
}
