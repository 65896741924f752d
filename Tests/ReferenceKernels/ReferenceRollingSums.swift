/// Slow twin of `RollingSums`: one loop over each window.
public enum ReferenceRollingSums {
  /// `result[i]`: sum of the `window` elements that end at `i`, or of those there are.
  public static func sums(of values: [Double], window: Int) -> [Double] {
    values.indices.map { end in
      var sum = 0.0
      for index in max(0, end - window + 1)...end { sum += values[index] }
      return sum
    }
  }
}
