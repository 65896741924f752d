import VigilKernels
import VigilModel

/// The observations of a series by week: eight lanes, one for each weekday and one that stays empty.
///
/// Sums by weekday are additions of whole weeks. Values are single-precision distances from the mean of the series,
/// positive where bad: what they say must allow for rounding.
final class WeekLayout {
  typealias Lanes = SIMD8<Float>

  /// The days of the longest series.
  let dayCount: Int
  /// The memory of a layout, which its owner keeps.
  struct Columns: BitwiseCopyable {
    /// By place, eight times the week plus the weekday.
    var positions: UnsafeMutablePointer<Int32>
    /// By week, 1 where there is an observation.
    var present: UnsafeMutablePointer<Lanes>
    /// By week, the distances from the mean; 0 where there is no observation.
    var distances: UnsafeMutablePointer<Lanes>
    /// By week, 1 where the day before has an observation too.
    var paired: UnsafeMutablePointer<Lanes>
    /// By place, the number of observations before it whose day before has one too.
    var pairs: UnsafeMutablePointer<Int32>
    /// By place, the number of observations up to it, itself included, whose day before has none.
    var gaps: UnsafeMutablePointer<Float>
    /// By place, the sum of the distances of all observations before it.
    var sums: UnsafeMutablePointer<Double>
    /// By place, the sum of the raw values of all observations before it.
    var rawSums: UnsafeMutablePointer<Double>
  }

  let columns: Columns
  private let weekMemory: AlignedBuffer<Lanes>
  private let sumMemory: AlignedBuffer<Double>
  private let numberMemory: AlignedBuffer<Int32>
  private let gapMemory: AlignedBuffer<Float>
  /// Bounds of what rounding can have changed in a difference of two of these sums.
  private(set) var (slack, rawSlack) = (0.0, 0.0)

  init(dayCount: Int) {
    self.dayCount = dayCount
    let weeks = dayCount / 7 + 4
    // Vectors of places are read beyond the last one.
    let places = dayCount + 64
    weekMemory = AlignedBuffer(count: 3 * weeks)
    sumMemory = AlignedBuffer(count: 2 * places)
    numberMemory = AlignedBuffer(count: 2 * places)
    gapMemory = AlignedBuffer(count: places)
    columns = Columns(
      positions: numberMemory.pointer, present: weekMemory.pointer,
      distances: weekMemory.pointer + weeks, paired: weekMemory.pointer + 2 * weeks,
      pairs: numberMemory.pointer + places, gaps: gapMemory.pointer, sums: sumMemory.pointer,
      rawSums: sumMemory.pointer + places)
  }

  /// Lays out the observations of `places`.
  ///
  /// - Parameter direction: 1 where a rise is bad, -1 where a drop is.
  /// - Complexity: O(places).
  func lay(_ series: EligibleSeries, places: Range<Int>, direction: Double) {
    guard let first = places.first, let last = places.last else { return }
    let (x, y, days) = (series.x, series.y, series.days)
    let weekday = Int32(series.weekdays[first])
    let firstDay = days[first] - weekday
    var total = 0.0
    for place in places { total += y[place] }
    let mean = total / Double(places.count)
    let weeks = Int(days[last] - firstDay) / 7 + 2
    let columns = columns
    columns.present.update(repeating: .zero, count: weeks)
    columns.distances.update(repeating: .zero, count: weeks)
    columns.paired.update(repeating: .zero, count: weeks)
    func floats(_ lanes: UnsafeMutablePointer<Lanes>) -> UnsafeMutablePointer<Float> {
      UnsafeMutableRawPointer(lanes).assumingMemoryBound(to: Float.self)
    }
    let (present, distances) = (floats(columns.present), floats(columns.distances))
    let paired = floats(columns.paired)
    let (positions, pairs, gaps) = (columns.positions, columns.pairs, columns.gaps)
    let (sums, rawSums) = (columns.sums, columns.rawSums)
    var (sum, rawSum, mass, rawMass) = (0.0, 0.0, 0.0, 0.0)
    var (pairCount, gapCount) = (Int32(0), Float(0))
    var before = days[first] &- 2
    for place in places {
      let day = days[place]
      let since = UInt32(bitPattern: day &- firstDay)
      let position = Int32(bitPattern: since &+ since / 7)
      let distance = direction * (y[place] - mean)
      positions[place] = position
      let lane = Int(position)
      present[lane] = 1
      distances[lane] = Float(distance)
      let isPaired = day &- before == 1
      paired[lane] = isPaired ? 1 : 0
      pairs[place] = pairCount
      pairCount &+= isPaired ? 1 : 0
      gapCount += isPaired ? 0 : 1
      gaps[place] = gapCount
      before = day
      sums[place] = sum
      sum += distance
      mass += abs(distance)
      rawSums[place] = rawSum
      rawSum += x[place]
      rawMass += abs(x[place])
    }
    sums[places.upperBound] = sum
    rawSums[places.upperBound] = rawSum
    pairs[places.upperBound] = pairCount
    let rounding = 4e-16 * Double(places.count)
    (slack, rawSlack) = (rounding * mass, rounding * rawMass)
  }
}
