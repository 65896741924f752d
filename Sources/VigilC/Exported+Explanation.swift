public import CVigil
import VigilModel

@c @implementation public func vigil_explain(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ metric: UnsafePointer<CChar>?, _ limit: UnsafePointer<CChar>?, _ day: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  setting(document, with: evaluator, message) { evaluator throws(Failure) in
    guard let metric else { throw .argument("metric is NULL") }
    return try evaluator.explain(
      person: try text(person, length), metric: String(cString: metric), limit: side(limit),
      on: day)
  }
}

@c @implementation public func vigil_explain_doses(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ medication: UnsafePointer<CChar>?, _ day: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  setting(document, with: evaluator, message) { evaluator throws(Failure) in
    guard let medication else { throw .argument("medication is NULL") }
    return try evaluator.explainDoses(
      person: try text(person, length), medication: String(cString: medication), on: day)
  }
}

@c @implementation public func vigil_draw(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ metric: UnsafePointer<CChar>?, _ limit: UnsafePointer<CChar>?, _ first: Int32, _ last: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  setting(document, with: evaluator, message) { evaluator throws(Failure) in
    try evaluator.draw(
      person: try text(person, length), metric: metric.map { String(cString: $0) },
      limit: side(limit), from: first, to: last)
  }
}

/// Sets a document to a new text; to NULL where there is an error.
private func setting(
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, with evaluator: OpaquePointer?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  to newText: (Evaluator) throws(Failure) -> String
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let document else { throw .argument("document is NULL") }
    document.pointee = nil
    document.pointee = copy(try newText(evaluator))
  }
}

/// The side of limits that a caller names; nil for none.
private func side(_ text: UnsafePointer<CChar>?) throws(Failure) -> CriticalLimit.Direction? {
  guard let text else { return nil }
  guard let side = CriticalLimit.Direction(rawValue: String(cString: text)) else {
    throw .argument("limit is neither \"below\" nor \"above\"")
  }
  return side
}
