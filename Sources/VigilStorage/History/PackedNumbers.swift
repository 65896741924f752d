/// Numbers in as few bytes as each of them needs: all of a column have the same width.
///
/// A column is a byte for its form and what belongs to that:
///
/// | form | contents |
/// |---|---|
/// | 0 | nothing: no row has a number |
/// | 1, 2, 4, 8 | a divisor and a base; then by row a whole number of that many bytes, all bits set for none |
/// | 9 | by row a double; not a number for none |
/// | 10 | a divisor and a base: the number of each row |
///
/// A number is `(base + whole number) * divisor`, or over the divisor where that is negative: `-10` stands for tenths.
enum PackedNumbers {
  private static let doubles: UInt8 = 9
  private static let constant: UInt8 = 10

  // MARK: Packing

  /// Adds whole numbers.
  ///
  /// - Parameter units: Numbers of which they may all be multiples, the largest first.
  static func pack(_ numbers: [Int64?], units: [Int64] = [], into bytes: inout [UInt8]) {
    let divisor =
      units.first { unit in numbers.allSatisfy { $0.map { $0 % unit == 0 } ?? true } } ?? 1
    pack(numbers.map { $0.map { $0 / divisor } }, divisor: divisor, into: &bytes)
  }

  /// Adds doubles, NaN for none: as multiples of the largest decimal fraction that gives the very same doubles.
  static func pack(_ numbers: [Double], into bytes: inout [UInt8]) {
    for divisor in [1, 10, 100, 1000] as [Int64] {
      if let multiples = multiples(numbers, of: divisor) {
        return pack(multiples, divisor: -divisor, into: &bytes)
      }
    }
    bytes.append(doubles)
    for number in numbers { PackedBytes.append(word: number.bitPattern, into: &bytes) }
  }

  /// Nil where a number is none of such a fraction.
  private static func multiples(_ numbers: [Double], of divisor: Int64) -> [Int64?]? {
    var multiples: [Int64?] = []
    multiples.reserveCapacity(numbers.count)
    for number in numbers {
      if number.isNaN {
        multiples.append(nil)
        continue
      }
      let multiple = (number * Double(divisor)).rounded()
      guard abs(multiple) < 0x1p52, multiple / Double(divisor) == number,
        number != 0 || number.sign == .plus
      else { return nil }
      multiples.append(Int64(multiple))
    }
    return multiples
  }

  private static func pack(_ numbers: [Int64?], divisor: Int64, into bytes: inout [UInt8]) {
    guard let least = numbers.lazy.compactMap(\.self).min(),
      let most = numbers.lazy.compactMap(\.self).max()
    else { return bytes.append(0) }
    let span = UInt64(bitPattern: most &- least)
    let isConstant = span == 0 && numbers.allSatisfy { $0 != nil }
    let width = [1, 2, 4].first { span < (UInt64(1) << UInt64(8 * $0)) - 1 } ?? 8
    bytes.append(isConstant ? constant : UInt8(width))
    PackedBytes.append(signed: divisor, into: &bytes)
    PackedBytes.append(signed: least, into: &bytes)
    guard !isConstant else { return }
    for number in numbers {
      let packed = number.map { UInt64(bitPattern: $0 &- least) } ?? .max
      for byte in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: packed >> (8 * UInt64(byte))))
      }
    }
  }

  // MARK: Unpacking

  /// A column of packed numbers, in the bytes of the rows.
  struct Column {
    fileprivate let form: UInt8
    fileprivate let divisor: Int64
    fileprivate let base: Int64
    /// The bytes of the rows.
    fileprivate let start: UnsafeRawPointer?

    /// Whether no row has a number.
    var isEmpty: Bool { form == 0 }

    /// Puts the numbers as doubles into `target`, NaN for none.
    func unpack(_ count: Int, into target: UnsafeMutablePointer<Double>) {
      guard let start else { return target.update(repeating: .nan, count: count) }
      switch form {
      case 1: unpack(UInt8.self, start, count, into: target)
      case 2: unpack(UInt16.self, start, count, into: target)
      case 4: unpack(UInt32.self, start, count, into: target)
      case 8: unpack(UInt64.self, start, count, into: target)
      case PackedNumbers.constant:
        target.update(repeating: Double(base) / Double(-divisor), count: count)
      default:
        for row in 0..<count {
          target[row] = start.loadUnaligned(fromByteOffset: 8 * row, as: Double.self)
        }
      }
    }

    @inline(__always)
    private func unpack<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
      _ type: Word.Type, _ start: UnsafeRawPointer, _ count: Int,
      into target: UnsafeMutablePointer<Double>
    ) {
      let divisor = Double(-self.divisor)
      for row in 0..<count {
        let word = start.loadUnaligned(fromByteOffset: row * MemoryLayout<Word>.size, as: Word.self)
        target[row] =
          word == .max ? .nan : Double(base &+ Int64(truncatingIfNeeded: word)) / divisor
      }
    }

    /// The whole number of a row; nil for none.
    @inline(__always)
    func integer(_ row: Int) -> Int64? {
      guard let start else { return nil }
      @inline(__always)
      func whole<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Word.Type
      ) -> Int64? {
        let word = start.loadUnaligned(fromByteOffset: row * MemoryLayout<Word>.size, as: Word.self)
        return word == .max ? nil : (base &+ Int64(truncatingIfNeeded: word)) &* divisor
      }
      switch form {
      case 1: return whole(UInt8.self)
      case 2: return whole(UInt16.self)
      case 4: return whole(UInt32.self)
      case PackedNumbers.constant: return base &* divisor
      default: return whole(UInt64.self)
      }
    }
  }

  /// Reads a column of `count` rows at `position`, and goes past it; nil where the bytes are none.
  static func column(
    _ count: Int, of kind: Kind, in bytes: UnsafeRawBufferPointer, at position: inout Int
  ) -> Column? {
    guard position < bytes.count else { return nil }
    let form = bytes[position]
    position += 1
    if form == 0 { return Column(form: 0, divisor: 1, base: 0, start: nil) }
    var (divisor, base) = (Int64(1), Int64(0))
    if form != doubles {
      guard [1, 2, 4, 8, constant].contains(form),
        let ownDivisor = PackedBytes.signed(in: bytes, at: &position),
        let ownBase = PackedBytes.signed(in: bytes, at: &position)
      else { return nil }
      (divisor, base) = (ownDivisor, ownBase)
    }
    let isWhole = form != doubles && divisor > 0
    let size =
      switch form {
      case doubles: 8 * count
      case constant: 0
      default: count * Int(form)
      }
    guard isWhole == (kind == .integers), position + size <= bytes.count else { return nil }
    defer { position += size }
    return Column(
      form: form, divisor: divisor, base: base, start: bytes.baseAddress.map { $0 + position })
  }

  enum Kind {
    case integers
    case doubles
  }
}
