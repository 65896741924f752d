import CVigil

/// Reads the record batches of an Arrow stream, which it owns and releases.
struct StreamReader {
  private let stream: UnsafeMutablePointer<ArrowArrayStream>

  init(_ stream: UnsafeMutablePointer<ArrowArrayStream>) {
    self.stream = stream
  }

  func close() {
    stream.pointee.release?(stream)
  }

  func forEachBatch(
    _ body: (ArrowSchema, ArrowArray) throws(Failure) -> Void
  ) throws(Failure) {
    var schema = ArrowSchema()
    guard let getSchema = stream.pointee.get_schema, let getNext = stream.pointee.get_next else {
      throw .argument("stream has no get_schema or get_next")
    }
    let code = getSchema(stream, &schema)
    guard code == 0 else { throw failure("its schema", code) }
    defer { schema.release?(&schema) }
    while true {
      var batch = ArrowArray()
      let code = getNext(stream, &batch)
      guard code == 0 else { throw failure("a batch", code) }
      // A released batch is the end.
      guard batch.release != nil else { return }
      defer { batch.release?(&batch) }
      try body(schema, batch)
    }
  }

  private func failure(_ what: String, _ code: Int32) -> Failure {
    let own = stream.pointee.get_last_error.flatMap { $0(stream) }.map { String(cString: $0) }
    return .stream("the stream could not give \(what): \(own ?? "error \(code)")")
  }
}
