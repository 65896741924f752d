import VigilLaboratory
import VigilModel

/// The order of a person's weeks, drawn at random.
///
/// Days keep their weekday and their neighbours within a week, but nothing lasts longer than a week: the
/// episodes that a detector then finds are mostly false.
enum WeekShuffle {
  /// Returns a block with the weeks of the first block in another order, the same for all metrics.
  ///
  /// Days after the last whole week keep their place.
  static func shuffled(_ block: ObservationBlock, person: Int, seed: UInt64)
    -> ObservationBlock
  {
    let copy = ObservationBlock(
      personCount: block.personCount, metricCount: block.metricCount, days: block.days)
    var stream = RandomStream(seed: seed, person: person, purpose: .weekOrder)
    var weeks = Array(0..<block.dayCount / 7)
    for place in weeks.indices.reversed() {
      weeks.swapAt(place, stream.integer(below: place + 1))
    }
    let whole = weeks.count * 7
    for series in 0..<block.seriesCount {
      let start = series * block.dayCount
      for day in 0..<block.dayCount {
        let source = day < whole ? weeks[day / 7] * 7 + day % 7 : day
        copy.values[start + day] = block.values[start + source]
      }
    }
    return copy
  }
}
