import VigilModel
public import VigilStorage

extension SQLSession {
  /// Keeps the digests of a batch for the next night.
  public func writeCalmDigests(of batch: BatchWrite) throws {
    guard let calm = batch.calm, !calm.digests.isEmpty else { return }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(CalmDigest.size * calm.digests.count)
    for digest in calm.digests {
      withUnsafeBytes(of: digest.input.littleEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: digest.series.littleEndian) { bytes.append(contentsOf: $0) }
    }
    try execute(CalmStatement.insertCalmDigests, calm.day, Bytes(bytes))
  }

  /// The digests that the night of a day has kept.
  func calmDigests(ofNight day: Day) throws -> [UInt64: CalmDigest.SeriesSet] {
    var known: [UInt64: CalmDigest.SeriesSet] = [:]
    for bytes in try rows(CalmStatement.listCalmDigests, day, decode: { try $0.bytes() }) {
      bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count - CalmDigest.size + 1, by: CalmDigest.size) {
          let input = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
          let series = bytes.loadUnaligned(
            fromByteOffset: start + 8, as: CalmDigest.SeriesSet.self)
          // The same night may have been done twice.
          known[UInt64(littleEndian: input), default: .max] &= CalmDigest.SeriesSet(
            littleEndian: series)
        }
      }
    }
    return known
  }
}

extension CalmDigest {
  /// Its bytes in the column.
  fileprivate static var size: Int { 10 }
}

/// Bytes as a parameter.
private struct Bytes: SQLConvertible {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static var sqlType: SQLType { .text }
  var sqlValue: SQLValue { .bytes(bytes) }
}
