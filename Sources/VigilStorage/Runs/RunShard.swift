public import Foundation

/// One of `count` parts of all persons, so that several processes can share a run
/// (specification, runs.md section 2).
///
/// ```swift
/// let anna = UUID(name: "anna")
/// let shards = (1...3).compactMap { RunShard($0, of: 3) }
/// print(shards)  // [1/3, 2/3, 3/3]
/// print(shards.filter { $0.contains(anna) }.count)  // 1
/// ```
///
/// The part of a person follows from the id alone: it is the same in every version, on every
/// machine and in every database.
public struct RunShard: Sendable, Hashable, CustomStringConvertible {
  /// From 1 to `count`.
  public let index: Int
  public let count: Int

  /// All persons.
  public static let whole = RunShard(checked: 1, of: 1)

  /// The most parts there can be.
  public static let mostShards = 1024

  /// Nil unless `index` is from 1 to `count`, and `count` no more than `mostShards`.
  public init?(_ index: Int, of count: Int) {
    guard (1...Self.mostShards).contains(count), (1...count).contains(index) else { return nil }
    self.init(checked: index, of: count)
  }

  private init(checked index: Int, of count: Int) {
    self.index = index
    self.count = count
  }

  public var isWhole: Bool { count == 1 }

  /// Every person is in exactly one of the parts.
  public func contains(_ person: UUID) -> Bool {
    isWhole || Int(Self.hash(person) % UInt64(count)) == index - 1
  }

  /// FNV-1a over the bytes of the id, and the finalizer of MurmurHash3 for its low bits, which FNV
  /// mixes less well.
  private static func hash(_ person: UUID) -> UInt64 {
    var hash = withUnsafeBytes(of: person.uuid) { bytes in
      bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
    hash ^= hash >> 33
    hash &*= 0xff51_afd7_ed55_8ccd
    hash ^= hash >> 33
    hash &*= 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }

  public var description: String { "\(index)/\(count)" }
}
