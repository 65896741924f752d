/// Computes the values of `0..<count` on all cores and returns them in order.
func concurrentMap<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) -> Value
) async -> [Value] {
  await withTaskGroup(of: (Int, Value).self) { group in
    for index in 0..<count { group.addTask { (index, body(index)) } }
    var values = [Value?](repeating: nil, count: count)
    for await (index, value) in group { values[index] = value }
    return values.compactMap(\.self)
  }
}
