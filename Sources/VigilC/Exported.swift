public import CVigil
import ShippedThresholds
import VigilAnalysis

// The functions of `vigil.h`, whose comments describe them. They only translate: null pointers, errors, handles.

@c @implementation public func vigil_version() -> UnsafePointer<CChar>? {
  constantText("0.1.0")
}

@c @implementation public func vigil_open(
  _ settings: UnsafePointer<CChar>?, _ length: Int, _ name: UnsafePointer<CChar>?,
  _ evaluator: UnsafeMutablePointer<OpaquePointer?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  answer(message) { () throws(Failure) in
    guard let settings else { throw .argument("settings is NULL") }
    guard let evaluator else { throw .argument("evaluator is NULL") }
    evaluator.pointee = nil
    guard length >= 0 else { throw .argument("length is more than memory can hold") }
    let bytes = Array(UnsafeRawBufferPointer(start: settings, count: length))
    let file = name.map { String(cString: $0) } ?? "settings"
    evaluator.pointee = Handle(try Evaluator(settings: bytes, file: file)).retained
  }
}

@c @implementation public func vigil_open_profile(
  _ profile: UnsafePointer<CChar>?, _ evaluator: UnsafeMutablePointer<OpaquePointer?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  answer(message) { () throws(Failure) in
    guard let profile else { throw .argument("profile is NULL") }
    guard let evaluator else { throw .argument("evaluator is NULL") }
    evaluator.pointee = nil
    let name = String(cString: profile)
    guard ShippedThresholds.names.contains(name), let bytes = ShippedThresholds.named(name) else {
      throw .argument(
        "there is no profile \"\(name)\"; there are \(ShippedThresholds.names.joined(separator: ", "))"
      )
    }
    evaluator.pointee = Handle(try Evaluator(settings: bytes, file: "\(name).json")).retained
  }
}

@c @implementation public func vigil_profile_id(
  _ evaluator: OpaquePointer?
) -> UnsafePointer<CChar>? {
  evaluator.map { UnsafePointer(Handle.from($0).profileID) }
}

@c @implementation public func vigil_compare(
  _ first: OpaquePointer?, _ second: OpaquePointer?,
  _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  answer(message) { () throws(Failure) in
    guard let first, let second else { throw .argument("evaluator is NULL") }
    guard let stream else { throw .argument("stream is NULL") }
    // One after the other: no two locks are held at a time.
    let one = try Handle.from(first).result { evaluator throws(Failure) in
      try evaluator.comparedAlerts()
    }
    let other = try Handle.from(second).result { evaluator throws(Failure) in
      try evaluator.comparedAlerts()
    }
    guard one.days == other.days else {
      throw .order("the evaluators have other days; call vigil_set_days for both")
    }
    var table = ComparisonTable(
      EpisodePair.matching(one.episodes, with: other.episodes),
      names: one.names.merging(other.names) { name, _ in name })
    stream.initialize(to: table.take())
  }
}

@c @implementation public func vigil_push(
  _ evaluator: OpaquePointer?, _ table: Int32, _ schema: UnsafePointer<ArrowSchema>?,
  _ batch: UnsafePointer<ArrowArray>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let schema else { throw .argument("schema is NULL") }
    guard let batch else { throw .argument("batch is NULL") }
    try evaluator.push(try InputTable(table), schema.pointee, batch.pointee)
  }
}

@c @implementation public func vigil_push_stream(
  _ evaluator: OpaquePointer?, _ table: Int32, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  guard let stream, stream.pointee.release != nil else {
    return answer(message) { () throws(Failure) in
      throw .argument("stream is NULL or was released before")
    }
  }
  let reader = StreamReader(stream)
  defer { reader.close() }
  return with(evaluator, message) { evaluator throws(Failure) in
    let table = try InputTable(table)
    try reader.forEachBatch { schema, batch throws(Failure) in
      try evaluator.push(table, schema, batch)
    }
    // A stream of a table without rows may have no batch.
    try evaluator.announce(table)
  }
}

@c @implementation public func vigil_finish_person(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    try evaluator.finish(person: try text(person, length))
  }
}

@c @implementation public func vigil_finish(
  _ evaluator: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in try evaluator.finish() }
}

@c @implementation public func vigil_take(
  _ evaluator: OpaquePointer?, _ table: Int32, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let stream else { throw .argument("stream is NULL") }
    switch table {
    case VIGIL_EPISODES: stream.initialize(to: evaluator.takeEpisodes())
    case VIGIL_ADHERENCE: stream.initialize(to: try evaluator.takeAdherence())
    case VIGIL_UNUSABLE: stream.initialize(to: evaluator.takeUnusable())
    case VIGIL_SCORES: stream.initialize(to: try evaluator.takeScores())
    case VIGIL_INSIGHTS: stream.initialize(to: try evaluator.takeInsights())
    case VIGIL_EVALUATION: stream.initialize(to: try evaluator.takeEvaluation())
    case VIGIL_NOTES: stream.initialize(to: evaluator.takeNotes())
    case VIGIL_DAYS: stream.initialize(to: try evaluator.takeDays())
    case VIGIL_BROKEN_DAYS: stream.initialize(to: try evaluator.takeBrokenDays())
    default: throw .argument("there is no table \(table) of results; see vigil_take")
    }
  }
}

@c @implementation public func vigil_repeat(
  _ results: UnsafePointer<ArrowArrayStream>?, _ stream: UnsafeMutablePointer<ArrowArrayStream>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  answer(message) { () throws(Failure) in
    guard let results, let stream else { throw .argument("results or stream is NULL") }
    guard let known = ResultStream.of(results) else {
      throw .argument("results is no stream of vigil_take, or was released before")
    }
    stream.initialize(to: known.repeated.exported)
  }
}

@c @implementation public func vigil_close(_ evaluator: OpaquePointer?) {
  if let evaluator { Handle.release(evaluator) }
}

@c @implementation public func vigil_free(_ text: UnsafeMutablePointer<CChar>?) {
  text?.deallocate()
}

// MARK: Translation

private func constantText(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// The name of a person.
func text(_ person: UnsafePointer<CChar>?, _ length: Int) throws(Failure) -> String {
  guard let person else { throw .argument("person is NULL") }
  guard length >= 0 else { throw .argument("length is more than memory can hold") }
  return String(
    decoding: UnsafeRawBufferPointer(start: person, count: length), as: UTF8.self)
}

/// A text that `vigil_free` frees.
func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = text.utf8CString
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  for (index, byte) in bytes.enumerated() { copy[index] = byte }
  return copy
}

/// Runs `body`, and turns what it throws into a status and a message.
private func answer(
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ body: () throws(Failure) -> Void
) -> vigil_status {
  message?.pointee = nil
  do {
    try body()
    return VIGIL_OK
  } catch {
    message?.pointee = copy(error.message)
    return error.status
  }
}

func with(
  _ pointer: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ body: (Evaluator) throws(Failure) -> Void
) -> vigil_status {
  answer(message) { () throws(Failure) in
    guard let pointer else { throw .argument("evaluator is NULL") }
    try Handle.from(pointer).use(body)
  }
}
