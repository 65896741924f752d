import CVigil
import VigilModel

/// Rows of results, column by column, that leave as an Arrow stream.
struct ResultTable {
  /// A column that is not filled yet.
  struct Column {
    let name: String
    let kind: ResultColumn.Kind
    let isNullable: Bool

    static func text(_ name: String, nullable: Bool = false) -> Column {
      Column(name: name, kind: .text, isNullable: nullable)
    }
    static func date(_ name: String, nullable: Bool = false) -> Column {
      Column(name: name, kind: .date, isNullable: nullable)
    }
    static func integer(_ name: String, nullable: Bool = false) -> Column {
      Column(name: name, kind: .integer, isNullable: nullable)
    }
    static func boolean(_ name: String, nullable: Bool = false) -> Column {
      Column(name: name, kind: .boolean, isNullable: nullable)
    }
    static func number(_ name: String, nullable: Bool = false) -> Column {
      Column(name: name, kind: .number, isNullable: nullable)
    }
  }

  private let layout: [Column]
  private var filled: [ResultColumn] = []
  private var finished: [ResultBatch] = []
  /// The column that the next cell is for.
  private var place = 0

  /// Rows of a batch.
  private static let batchRows = 65_536

  init(_ layout: [Column]) {
    self.layout = layout
    filled = layout.map { ResultColumn($0.kind) }
  }

  /// Begins a row, whose cells follow in the order of the columns.
  mutating func beginRow() {
    precondition(place == 0 || place == layout.count)
    if filled[0].count >= Self.batchRows { finishBatch() }
    place = 0
  }

  mutating func add(_ text: String?) {
    filled[place].append(text)
    place += 1
  }

  mutating func add(_ id: UUID?) {
    filled[place].append(id)
    place += 1
  }

  mutating func add(_ number: Int32?) {
    filled[place].append(number)
    place += 1
  }

  mutating func add(_ flag: Bool?) {
    filled[place].append(flag)
    place += 1
  }

  mutating func add(_ number: Double?) {
    filled[place].append(number)
    place += 1
  }

  private mutating func finishBatch() {
    finished.append(ResultBatch(filled))
    filled = layout.map { ResultColumn($0.kind) }
  }

  /// The rows since the last call.
  mutating func take() -> ArrowArrayStream {
    if filled[0].count > 0 { finishBatch() }
    defer { finished = [] }
    return ResultStream(layout, finished).exported
  }
}

/// One column of a batch of results.
struct ResultColumn {
  enum Kind {
    case text, date, integer, number, boolean

    /// The format string of Arrow.
    var format: StaticString {
      switch self {
      case .text: "u"
      case .date: "tdD"
      case .integer: "i"
      case .number: "g"
      case .boolean: "b"
      }
    }
  }

  let kind: Kind
  private(set) var count = 0
  private(set) var nullCount = 0
  /// One bit a row, 1 where there is a value.
  private(set) var validity: [UInt8] = []
  private(set) var integers: [Int32] = []
  private(set) var numbers: [Double] = []
  /// Texts one after another, which end at `integers`; or one bit a row.
  private(set) var bytes: [UInt8] = []

  init(_ kind: Kind) {
    self.kind = kind
    if kind == .text { integers.append(0) }
  }

  mutating func append(_ text: String?) {
    if let text { bytes += text.utf8 }
    integers.append(Int32(bytes.count))
    note(isValid: text != nil)
  }

  /// Appends the text of an id in lower case.
  mutating func append(_ id: UUID?) {
    if let id {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
        id.writeLowercased(to: text)
        bytes += text
      }
    }
    integers.append(Int32(bytes.count))
    note(isValid: id != nil)
  }

  mutating func append(_ number: Int32?) {
    integers.append(number ?? 0)
    note(isValid: number != nil)
  }

  mutating func append(_ number: Double?) {
    numbers.append(number ?? 0)
    note(isValid: number != nil)
  }

  mutating func append(_ flag: Bool?) {
    if count & 7 == 0 { bytes.append(0) }
    if flag == true { bytes[count >> 3] |= 1 << UInt8(count & 7) }
    note(isValid: flag != nil)
  }

  private mutating func note(isValid: Bool) {
    if count & 7 == 0 { validity.append(0) }
    if isValid { validity[count >> 3] |= 1 << UInt8(count & 7) } else { nullCount += 1 }
    count += 1
  }
}
