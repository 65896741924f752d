import VigilKernels
import VigilModel

/// Says of most days, some at a time, that they cannot deviate; exact, as it bounds what the full computation would
/// find.
///
/// The observations of a *section* are judged with one set of bounds: those of means by weekday and spread that follow
/// from what all their pools have in common and from what some of them have. A window that is proven and held has a
/// mean shift of a size that follows from the settings: see `LaneBounds`. Sections are parts of a *block*, which has
/// fixed means by weekday and running sums by weekday of the distances from them. A day that its section does not
/// exclude is looked at as a section of its own. Where far values widen the bounds too much, `DayScreen` serves.
///
/// Sums are of single precision: every bound is widened by what rounding can have changed.
final class LaneScreen {
  typealias Lanes = SIMD8<Float>

  let settings: EvidenceSettings
  let bounds: LaneBounds
  /// By window, number of gaps and whether it begins after one.
  let evidenceBounds: WindowBounds
  let direction: Double
  let rules: MetricJudge
  let priorSpread: Float
  /// The prior autocorrelation.
  let priorAutocorrelation: Float
  /// Whether steps between neighbours say enough of the autocorrelation to be worth their cost.
  let looksAtSteps: Bool
  /// Whether the settings are within what the bounds hold for.
  let isUsable: Bool

  private var layout = WeekLayout(dayCount: 0)
  /// Its memory, and bounds of what rounding can have changed in its sums.
  var columns: WeekLayout.Columns
  var (sumSlack, rawSlack) = (0.0, 0.0)
  /// The places that are laid out.
  var places = 0..<0

  /// The first observation that a window may reach back to.
  private(set) var fresh = 0

  // The block.
  /// Its first observation, and the end of those that it serves.
  var block = 0..<0
  /// The means by weekday.
  var center = Lanes.zero
  /// The distance from the center from which values count as if they were no farther.
  var reach: Float = 0
  /// A bound of what rounding can have changed in a sum over the block.
  var slack: Float = 0
  /// The sum of all distances.
  var mass: Float = 0
  /// The same bound for squared steps, which are not clipped.
  var stepSlack: Float = 0
  /// The first place that its sums hold.
  private var blockStart = 0
  /// By week, the distances from the center.
  var distances: UnsafeMutablePointer<Lanes>
  private var distanceMemory = AlignedBuffer<Lanes>(count: 0)
  /// By week, the sums of all weeks of the block before it.
  var running: UnsafeMutablePointer<Running>
  private var runningMemory = AlignedBuffer<Running>(count: 0)

  /// By place in a section, the first observation that counts.
  let firsts: AlignedBuffer<Int>
  /// The running sum of the newest distances from the least means; its first place comes after `prefixRoom` others.
  let prefix: AlignedBuffer<Float>
  let prefixRoom: Int

  /// Observations of a block and of a section.
  static let blockLength = 96
  static let sectionLength = 16

  /// The observations of a section that begins with a pool of this size.
  static func length(poolSize: Int) -> Int {
    poolSize < 28 ? sectionLength / 4 : poolSize < 60 ? sectionLength / 2 : sectionLength
  }

  init(
    _ settings: EvidenceSettings, _ prior: MetricEvidence, direction: Double, rules: MetricJudge
  ) {
    let mostAutocorrelation = settings.mostAutocorrelation(prior: prior.priorAutocorrelation)
    self.settings = settings
    self.direction = direction
    self.rules = rules
    priorSpread = Float(prior.priorSpread)
    priorAutocorrelation = Float(prior.priorAutocorrelation)
    looksAtSteps = prior.priorAutocorrelation >= 0.3
    bounds = LaneBounds(settings, prior.thresholds, mostAutocorrelation: mostAutocorrelation)
    evidenceBounds = WindowBounds(settings, mostAutocorrelation: mostAutocorrelation)
    let longest = settings.windows.last ?? 0
    isUsable =
      settings.windows.count <= 8 && settings.guardDays >= 3 && prior.thresholds.least > 0.01
    // Windows that no day of a section allows are read too.
    prefixRoom = longest + 8
    columns = layout.columns
    distances = distanceMemory.pointer
    running = runningMemory.pointer
    prefix = AlignedBuffer(count: Self.sectionLength + 2 * prefixRoom + 16)
    firsts = AlignedBuffer(count: Self.sectionLength)
  }

  /// Begins with the observations of `places`; those that count for them are among them.
  func begin(_ series: EligibleSeries, places: Range<Int>, fresh: Int, dayCount: Int) {
    if layout.dayCount < dayCount {
      layout = WeekLayout(dayCount: dayCount)
      columns = layout.columns
      distanceMemory = AlignedBuffer(count: dayCount / 7 + 5)
      distances = distanceMemory.pointer
      runningMemory = AlignedBuffer(count: dayCount / 7 + 5)
      running = runningMemory.pointer
    }
    self.places = places
    self.fresh = fresh
    block = 0..<0
    layout.lay(series, places: places, direction: direction)
    (sumSlack, rawSlack) = (layout.slack, layout.rawSlack)
  }

  /// The pool of the observation at `last`.
  @inline(__always)
  func pool(of last: Int, first: Int) -> (range: Range<Int>, guardCount: Int) {
    let eligible = last - first + 1
    let guardCount = settings.guardCount(eligible: eligible)
    let end = last + 1 - guardCount
    return (max(first, end - settings.baselineDays)..<end, guardCount)
  }

  /// The lanes of the days of the week before the one at a position.
  @inline(__always)
  static func lanesBefore(_ position: Int32) -> SIMDMask<SIMD8<Int32>> {
    SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7) .< SIMD8<Int32>(repeating: position & 7)
  }

  /// Begins a block at an observation, with the means of its pool.
  func beginBlock(at first: Int, pool: Range<Int>) {
    let position = columns.positions
    let end = min(first + Self.blockLength, places.upperBound)
    block = first..<end
    blockStart = pool.lowerBound
    let (present, values) = (columns.present, columns.distances)
    let firstWeek = Int(position[pool.lowerBound] >> 3)
    let lastWeek = Int(position[pool.upperBound] >> 3)
    let before = Self.lanesBefore(position[pool.lowerBound])
    let within = Self.lanesBefore(position[pool.upperBound])

    // The weeks at both ends have other days too; for the center that does not matter.
    var (sums, counts) = (Lanes.zero, Lanes.zero)
    for week in firstWeek..<lastWeek + 1 {
      sums += values[week]
      counts += present[week]
    }
    sums -= Lanes.zero.replacing(with: values[firstWeek], where: before)
    counts -= Lanes.zero.replacing(with: present[firstWeek], where: before)
    sums -= values[lastWeek].replacing(with: 0, where: within)
    counts -= present[lastWeek].replacing(with: 0, where: within)
    let size = Float(pool.count)
    let mean = sums.total / size
    let prior = Float(settings.weekdayPriorDays)
    let effects = (sums - counts * mean) / (counts + prior)
    center = (effects + (mean + prior / size * effects.ofWeek.total)).ofWeek

    var far = Lanes.zero
    for week in firstWeek..<lastWeek + 1 {
      far += (present[week] * (values[week] - center)).magnitudes
    }
    let deviation = max(far.total / size, 1e-3 * priorSpread)
    let cap = Lanes(repeating: 2.4 * deviation)
    var squares = Lanes.zero
    for week in firstWeek..<lastWeek + 1 {
      let z = (present[week] * (values[week] - center)).magnitudes.least(cap)
      squares += z * z
    }
    let weight = Float(settings.spreadPriorDays)
    let spread =
      ((weight * priorSpread * priorSpread + squares.total) / (weight + size)).squareRoot()
    // Then few values are beyond it, and all others are well within what is clipped.
    reach = min(2.6 * deviation, 0.7 * Float(settings.clip) * spread)

    let last = Int(position[end - 1] >> 3)
    if looksAtSteps {
      sum(weeks: firstWeek..<last + 1, steps: true)
    } else {
      sum(weeks: firstWeek..<last + 1, steps: false)
    }
  }

  @inline(__always)
  private func sum(weeks: Range<Int>, steps: Bool) {
    let (present, values) = (columns.present, columns.distances)
    let paired = columns.paired
    let (distances, running) = (distances, running)
    let (upper, lower) = (Lanes(repeating: reach), Lanes(repeating: -reach))
    let center = center
    var sums = Running()
    var all = Lanes.zero
    running[weeks.lowerBound] = sums
    var lastOfWeek: Float = 0
    for week in weeks {
      let z = present[week] * (values[week] - center)
      let clipped = z.least(upper).most(lower)
      let magnitude = z.magnitudes
      if steps {
        let earlier = Lanes(lastOfWeek, z[0], z[1], z[2], z[3], z[4], z[5], z[6])
        lastOfWeek = z[6]
        let earlierClipped = earlier.least(upper).most(lower)
        let step = z - earlier
        sums.steps += paired[week] * (step * step)
        sums.stepSquares += paired[week] * (clipped * clipped + earlierClipped * earlierClipped)
      }
      distances[week] = z
      sums.distances += z
      sums.negative += z.least(.zero)
      sums.clipped += clipped
      sums.squares += clipped * clipped
      sums.excess += (z - clipped).magnitudes
      sums.counts += present[week]
      all += magnitude + values[week].magnitudes
      running[week + 1] = sums
    }
    mass = all.total
    // Each of the sums that rounding can change is one of at most as many weeks.
    let rounding = max(8e-6, 2.5e-7 * Float(weeks.count))
    slack = rounding * mass + 2 * Float(sumSlack)
    stepSlack = rounding * sums.steps.total
  }

  // MARK: Sections

  /// Of the observations of `range`, those that may deviate; bit i stands for the one at `range.lowerBound + i`; nil
  /// where the bounds do not hold.
  ///
  /// - Parameter first: By place in `range`, the first observation that counts; ascending.
  func candidates(_ range: Range<Int>, first: UnsafePointer<Int>) -> UInt32? {
    guard let found = attempt(range, first) else { return nil }
    if range.count == 1 { return found }
    var (rest, left) = (found, UInt32(0))
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      let place = range.lowerBound + index
      if section(place..<place + 1, first + index) != 0 { left |= 1 << UInt32(index) }
      rest &= rest - 1
    }
    return left
  }

  /// Judges a section, with a block of its own where that at hand says nothing.
  private func attempt(_ range: Range<Int>, _ first: UnsafePointer<Int>) -> UInt32? {
    let pool = pool(of: range.lowerBound, first: first[0]).range
    if block.lowerBound <= range.lowerBound, range.upperBound <= block.upperBound,
      blockStart <= pool.lowerBound
    {
      if let found = section(range, first) { return found }
      if block.lowerBound == range.lowerBound { return nil }
    }
    beginBlock(at: range.lowerBound, pool: pool)
    guard range.upperBound <= block.upperBound else { return nil }
    return section(range, first)
  }
}
