public import CVigil
import VigilModel

@c @implementation public func vigil_explain(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ metric: UnsafePointer<CChar>?, _ limit: UnsafePointer<CChar>?, _ day: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let document else { throw .argument("document is NULL") }
    document.pointee = nil
    guard let metric else { throw .argument("metric is NULL") }
    let text = try evaluator.explain(
      person: try text(person, length), metric: String(cString: metric), limit: side(limit),
      on: day)
    document.pointee = copy(text)
  }
}

@c @implementation public func vigil_explain_doses(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ medication: UnsafePointer<CChar>?, _ day: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let document else { throw .argument("document is NULL") }
    document.pointee = nil
    guard let medication else { throw .argument("medication is NULL") }
    let text = try evaluator.explainDoses(
      person: try text(person, length), medication: String(cString: medication), on: day)
    document.pointee = copy(text)
  }
}

@c @implementation public func vigil_draw(
  _ evaluator: OpaquePointer?, _ person: UnsafePointer<CChar>?, _ length: Int,
  _ metric: UnsafePointer<CChar>?, _ limit: UnsafePointer<CChar>?, _ first: Int32, _ last: Int32,
  _ document: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> vigil_status {
  with(evaluator, message) { evaluator throws(Failure) in
    guard let document else { throw .argument("document is NULL") }
    document.pointee = nil
    let text = try evaluator.draw(
      person: try text(person, length), metric: metric.map { String(cString: $0) },
      limit: side(limit), from: first, to: last)
    document.pointee = copy(text)
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
