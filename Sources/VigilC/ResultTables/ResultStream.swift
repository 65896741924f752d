import CVigil

/// Batches of results that a consumer of the Arrow C stream interface reads one by one.
final class ResultStream {
  private let layout: [ResultTable.Column]
  private let batches: [ResultBatch]
  /// The index of the batch that is read next.
  private var position = 0

  init(_ layout: [ResultTable.Column], _ batches: [ResultBatch]) {
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
    let batch = batches[position]
    position += 1
    let children = batch.columns.map { column in
      Self.array(
        batch.count, nulls: column.nullCount, buffers: column.buffers, children: [],
        Memory(with: batch.memory))
    }
    return Self.array(batch.count, nulls: 0, buffers: [nil], children: children, Memory())
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
