import CVigil

/// Batches of results that a consumer of the Arrow C stream interface reads one by one.
final class ResultStream {
  private let layout: [ResultTable.Column]
  private let batches: [[ResultColumn]]
  /// The index of the batch that is read next.
  private var position = 0

  init(_ layout: [ResultTable.Column], _ batches: [[ResultColumn]]) {
    self.layout = layout
    self.batches = batches
  }

  /// EINVAL of C, for a stream that was released.
  private static let invalid: Int32 = 22

  /// The same results from their beginning.
  var repeated: ResultStream { ResultStream(layout, batches) }

  /// The stream, which its consumer releases.
  var exported: ArrowArrayStream {
    ArrowArrayStream(
      get_schema: { stream, target in
        guard let stream, let own = ResultStream.of(stream) else { return ResultStream.invalid }
        target?.initialize(to: own.schema)
        return 0
      },
      get_next: { stream, target in
        guard let stream, let own = ResultStream.of(stream) else { return ResultStream.invalid }
        target?.initialize(to: own.next())
        return 0
      },
      get_last_error: { _ in nil },
      release: Self.release,
      private_data: Unmanaged.passRetained(self).toOpaque())
  }

  private static let release: @convention(c) (UnsafeMutablePointer<ArrowArrayStream>?) -> Void = {
    guard let stream = $0, let owner = stream.pointee.private_data else { return }
    Unmanaged<ResultStream>.fromOpaque(owner).release()
    stream.pointee.private_data = nil
    stream.pointee.release = nil
  }

  /// The results behind a stream; nil for a stream of another library or a released one.
  static func of(_ stream: UnsafePointer<ArrowArrayStream>) -> ResultStream? {
    // The function that releases it is the mark of a stream that is ours.
    guard let release = stream.pointee.release,
      unsafeBitCast(release, to: UInt.self) == unsafeBitCast(Self.release, to: UInt.self),
      let owner = stream.pointee.private_data
    else { return nil }
    return Unmanaged<ResultStream>.fromOpaque(owner).takeUnretainedValue()
  }

  // MARK: Schema

  private var schema: ArrowSchema {
    let fields = layout.map { column in
      Self.schema(
        "\(column.kind.format)", column.name, isNullable: column.isNullable, children: [])
    }
    return Self.schema("+s", "", isNullable: false, children: fields)
  }

  private static func schema(
    _ format: String, _ name: String, isNullable: Bool, children: [ArrowSchema]
  ) -> ArrowSchema {
    let owner = Memory()
    let pointers = owner.pointers(to: children)
    return ArrowSchema(
      format: UnsafePointer(owner.text(format)), name: UnsafePointer(owner.text(name)),
      metadata: nil, flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0,
      n_children: Int64(children.count), children: pointers, dictionary: nil,
      release: { schema in
        guard let schema, let owner = schema.pointee.private_data else { return }
        for index in 0..<Int(schema.pointee.n_children) {
          guard let child = schema.pointee.children?[index] else { continue }
          child.pointee.release?(child)
        }
        schema.pointee.release = nil
        Unmanaged<Memory>.fromOpaque(owner).release()
      },
      private_data: Unmanaged.passRetained(owner).toOpaque())
  }

  // MARK: Batches

  /// The next batch; a released one at the end.
  private func next() -> ArrowArray {
    guard position < batches.count else { return ArrowArray() }
    let columns = batches[position]
    position += 1
    let children = columns.map { column in
      let owner = Memory()
      var buffers: [UnsafeRawPointer?] = [
        column.nullCount == 0 ? nil : owner.copy(column.validity)
      ]
      switch column.kind {
      case .text: buffers += [owner.copy(column.integers), owner.copy(column.bytes)]
      case .date, .integer: buffers.append(owner.copy(column.integers))
      case .number: buffers.append(owner.copy(column.numbers))
      case .boolean: buffers.append(owner.copy(column.bytes))
      }
      return Self.array(
        column.count, nulls: column.nullCount, buffers: buffers, children: [], owner)
    }
    return Self.array(columns[0].count, nulls: 0, buffers: [nil], children: children, Memory())
  }

  private static func array(
    _ count: Int, nulls: Int, buffers: [UnsafeRawPointer?], children: [ArrowArray],
    _ owner: Memory
  ) -> ArrowArray {
    let pointers = owner.pointers(to: children)
    return ArrowArray(
      length: Int64(count), null_count: Int64(nulls), offset: 0, n_buffers: Int64(buffers.count),
      n_children: Int64(children.count), buffers: owner.list(buffers),
      children: pointers, dictionary: nil,
      release: { array in
        guard let array, let owner = array.pointee.private_data else { return }
        for index in 0..<Int(array.pointee.n_children) {
          guard let child = array.pointee.children?[index] else { continue }
          child.pointee.release?(child)
        }
        array.pointee.release = nil
        Unmanaged<Memory>.fromOpaque(owner).release()
      },
      private_data: Unmanaged.passRetained(owner).toOpaque())
  }
}

/// Memory that a structure of Arrow's refers to and that goes with it.
final class Memory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// A copy of some values; at least one byte, so that there is an address.
  func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeRawPointer {
    let size = values.count * MemoryLayout<Value>.stride
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 64)
    values.withUnsafeBytes {
      if let start = $0.baseAddress { block.copyMemory(from: start, byteCount: size) }
    }
    blocks.append(block)
    return UnsafeRawPointer(block)
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    copy(Array(text.utf8CString)).assumingMemoryBound(to: CChar.self)
  }

  func list(_ buffers: [UnsafeRawPointer?]) -> UnsafeMutablePointer<UnsafeRawPointer?> {
    UnsafeMutableRawPointer(mutating: copy(buffers)).assumingMemoryBound(
      to: UnsafeRawPointer?.self)
  }

  /// Pointers to copies of some structures; nil for none.
  func pointers<Structure: BitwiseCopyable>(
    to structures: [Structure]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Structure>?>? {
    if structures.isEmpty { return nil }
    let start = UnsafeMutableRawPointer(mutating: copy(structures)).assumingMemoryBound(
      to: Structure.self)
    let pointers = structures.indices.map { Optional(start + $0) }
    return UnsafeMutableRawPointer(mutating: copy(pointers)).assumingMemoryBound(
      to: UnsafeMutablePointer<Structure>?.self)
  }
}
