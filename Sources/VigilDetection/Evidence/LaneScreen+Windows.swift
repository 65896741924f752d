import VigilKernels
import VigilModel

extension LaneScreen {
  /// Looks at the windows of one observation that the mean shift does not exclude.
  func mayDeviate(
    _ last: Int, first: Int, windows: Int32, prefix: UnsafePointer<Float>, low: Lanes,
    high: Lanes, spread: Float,
    sumSlack: Float, threshold: Double, bin: Int
  ) -> Bool {
    let (pool, guardCount) = pool(of: last, first: first)
    let longest = min(guardCount, last - max(fresh, first) + 1)
    let rawSums = columns.rawSums
    let base = (rawSums[pool.upperBound] - rawSums[pool.lowerBound]) / Double(pool.count)
    let gaps = columns.gaps
    let positions = columns.positions
    let distances = UnsafeRawPointer(distances).assumingMemoryBound(to: Float.self)
    let scale = (1 + 1e-5) / spread
    let clip = Float(settings.clip)
    func distance(_ place: Int, _ means: Lanes) -> Float {
      let position = Int(positions[place])
      return distances[position] - means[position & 7]
    }
    let newest = min(max(distance(last, low) + sumSlack, 0) * scale, clip)
    var rest = windows
    while rest != 0 {
      let window = rest.trailingZeroBitCount
      rest &= rest - 1
      let length = settings.windows[window]
      if length > longest { continue }
      let start = last + 1 - length
      let recent = (rawSums[last + 1] - rawSums[start]) / Double(length)
      guard rules.mayMatter(recent: recent, base: base, slack: rawSlack) else { continue }
      let span = Self.day(ofPosition: positions[last]) - Self.day(ofPosition: positions[start])
      guard Double(span) < settings.spanFactor * Double(length) else { continue }
      let isAfterGap = gaps[start] != gaps[start - 1]
      let (to, from) = (distance(start, low), distance(start - 1, high))
      // A gap lets the first shift say more, and the one before it less.
      let step = isAfterGap ? max(to, 0) + max(-from, 0) : max(to - from, 0)
      let shifts = prefix[last + 1] - prefix[start]
      var around: Float = 0
      if gaps[last] != gaps[start] {
        for place in start + 1..<last + 1 where gaps[place] != gaps[place - 1] {
          let both = prefix[place + 1] - prefix[place - 1]
          around += max(both + sumSlack, 0)
        }
      }
      let count = Int(gaps[last] - gaps[start])
      let sums = EvidenceBound.Sums(
        shifts: Double(max(shifts + sumSlack, 0) * scale), newest: Double(newest),
        jump: Double(min((step + sumSlack) * scale, 2 * clip)),
        aroundLongGaps: Double(min(around * scale, 2 * clip * Float(count))))
      if evidenceBounds.bound(window: window, gaps: count, beginsAfterGap: isAfterGap)
        .evidence(sums, fromPart: bin) >= threshold
      {
        return true
      }
    }
    return false
  }

  @inline(__always)
  private static func day(ofPosition position: Int32) -> Int32 {
    position &- position >> 3
  }
}
