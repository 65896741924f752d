/// Dots on a grid of characters, each of them two dots wide and four dots high.
struct BrailleCanvas {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  /// The bits of a cell's dots, from the top down, of its left and its right column (Unicode, chapter 21.1).
  private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: 0, count: columns * rows)
  }

  /// Sets a dot; `x` counts from the left, `y` from the top.
  mutating func set(x: Int, y: Int) {
    guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[x % 2][y % 4]
  }

  /// The character of a cell; nil where it has no dot.
  func character(column: Int, row: Int) -> Character? {
    let cell = cells[row * columns + column]
    return cell == 0 ? nil : Unicode.Scalar(0x2800 + UInt32(cell)).map(Character.init)
  }
}
