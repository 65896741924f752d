import Foundation

extension UUID {
  /// FNV-1a over the bytes of the id and of some numbers: the same in every process, which `Hasher` is
  /// not.
  func digest(_ first: Int, _ others: [Int] = []) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    withUnsafeBytes(of: uuid) { $0.forEach(add) }
    for number in [first] + others {
      withUnsafeBytes(of: Int64(number).littleEndian) { $0.forEach(add) }
    }
    return hash
  }
}
