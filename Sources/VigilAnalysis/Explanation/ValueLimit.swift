/// The search for the least change of a value that turns an answer.
enum ValueLimit {
  /// The value closest to `far` from which on, on the side of `near`, the answer is the wanted one.
  ///
  /// - Parameters:
  ///   - near: A value that has the wanted answer.
  ///   - far: One that has not.
  ///   - isWanted: Whether a value has the wanted answer.
  static func between(_ near: Double, _ far: Double, _ isWanted: (Double) -> Bool) -> Double {
    var (wanted, unwanted) = (near, far)
    for _ in 0..<60 {
      guard abs(wanted - unwanted) > 1e-9 * max(1, abs(wanted)) else { break }
      let middle = wanted + (unwanted - wanted) / 2
      if isWanted(middle) { wanted = middle } else { unwanted = middle }
    }
    return wanted
  }
}
