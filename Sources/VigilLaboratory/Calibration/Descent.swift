/// Values that do not rise, as close as possible to others.
enum Descent {
  /// Returns the values that do not rise and have the least weighted squared distance from `values`.
  ///
  /// Pools neighbours that rise, until none do (Ayer and others, Annals of Mathematical Statistics 26, 1955).
  ///
  /// - Parameters:
  ///   - values: In their order.
  ///   - weights: As many, above 0.
  static func fitted(_ values: [Double], weights: [Double]) -> [Double] {
    var pools: [(value: Double, weight: Double, count: Int)] = []
    for (value, weight) in zip(values, weights) {
      pools.append((value, weight, 1))
      while pools.count > 1, pools[pools.count - 2].value < pools[pools.count - 1].value {
        let last = pools.removeLast()
        let before = pools.removeLast()
        let weight = before.weight + last.weight
        pools.append(
          (
            (before.value * before.weight + last.value * last.weight) / weight, weight,
            before.count + last.count
          ))
      }
    }
    return pools.flatMap { Array(repeating: $0.value, count: $0.count) }
  }
}
