import Foundation
import VigilModel

/// Random numbers for one purpose of one person.
///
/// Each stream begins at a place of its own, which only the seed, the person and the purpose decide. So person
/// 17 is the same in every block, on any number of threads, and whether or not another purpose draws more
/// numbers.
package struct RandomStream {
  /// The reason why numbers are drawn; a new one goes to the end, so that the others keep their numbers.
  package enum Purpose: UInt64 {
    case traits = 1
    case weekdays
    case innovations
    case slowLevels
    case season
    case cycle
    case wear
    case metricWear
    case devices
    case change
    case weekOrder
    case lags
    case metricChoice
    case bootstrap
    case doseTraits
    case doses
    case changedDoses
    case wearTraits
    case pauses
  }

  private var generator: SplitMix64
  /// The second of a pair of normal numbers.
  private var spare: Double?

  package init(seed: UInt64, person: Int, purpose: Purpose) {
    var state = (seed &+ UInt64.splitMixIncrement).scattered
    state = (state ^ UInt64(bitPattern: Int64(person))).scattered &+ UInt64.splitMixIncrement
    generator = SplitMix64(seed: (state ^ purpose.rawValue).scattered)
  }

  package mutating func next() -> UInt64 { generator.next() }

  /// At least 0 and below 1.
  package mutating func uniform() -> Double { generator.uniform() }

  /// At least 0 and below `bound`.
  package mutating func integer(below bound: Int) -> Int { generator.integer(below: bound) }

  /// A standard normal number, by the polar method (Marsaglia and Bray, SIAM Review 6, 1964).
  package mutating func normal() -> Double {
    if let spare {
      self.spare = nil
      return spare
    }
    while true {
      let (x, y) = (2 * uniform() - 1, 2 * uniform() - 1)
      let square = x * x + y * y
      guard square < 1, square > 0 else { continue }
      let factor = (-2 * log(square) / square).squareRoot()
      spare = y * factor
      return x * factor
    }
  }

  /// A Poisson number with mean 1, by inversion.
  package mutating func poisson() -> Int {
    var rest = uniform()
    var share = exp(-1.0)
    var number = 0
    while rest >= share, number < 20 {
      rest -= share
      number += 1
      share /= Double(number)
    }
    return number
  }
}
