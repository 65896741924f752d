import Foundation
import TestSupport

/// AR(1) noise of variance 1.
struct Noise {
  private var state: Double
  private let memory: Double

  init(memory: Double, _ random: inout SeededGenerator) {
    self.memory = memory
    state = Self.normal(&random)
  }

  mutating func next(_ random: inout SeededGenerator) -> Double {
    let value = state
    state = memory * state + (1 - memory * memory).squareRoot() * Self.normal(&random)
    return value
  }

  /// Standard normal, by Box and Muller.
  private static func normal(_ random: inout SeededGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)))
    return radius.squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }
}

/// Series of autocorrelated noise of variance 1 around a line, as scores are: means over some days.
struct RandomSlopes {
  var memory: Double
  /// Days that each value is the mean of.
  var smoothingDays: Int
  /// Units of the daily noise's standard deviation a day.
  var slope = 0.0
  var gapChance = 0.0
  var weekdayEffect = 0.0

  static let dayCount = 28

  /// `dayCount x count`, column-major, NaN in gaps.
  func series(count: Int, seed: Int) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var values: [Double] = []
    for _ in 0..<count {
      var noise = Noise(memory: memory, &random)
      let daily = (0..<Self.dayCount + smoothingDays - 1).map { day in
        noise.next(&random) + slope * Double(day) + (day % 7 >= 5 ? weekdayEffect : 0)
      }
      for day in 0..<Self.dayCount {
        let mean = daily[day..<day + smoothingDays].reduce(0, +) / Double(smoothingDays)
        values.append(random.chance(gapChance) ? .nan : mean)
      }
    }
    return values
  }
}
