import ReferenceKernels
import TestSupport
import Testing
import VigilKernels

@Suite struct RollingSumsTests {
  @Test("equal the sum of each window, for every pair of windows up to 9 and 30")
  func agreesWithReference() {
    var random = SeededGenerator(seed: 1)
    for short in 1...9 {
      for long in 1...30 {
        let padding = RollingSums.padding(shortWindow: short, longWindow: long)
        let lengths = (0..<4).map { _ in Int.random(in: 1...40, using: &random) }
        let sums = RollingSums(
          shortWindow: short, longWindow: long, capacity: lengths.reduce(0) { $0 + $1 + padding })
        // Twice, because what a tile leaves behind must not reach into the next one.
        for _ in 0..<2 {
          var series: [[Double]] = []
          var position = 0
          for length in lengths {
            (sums.input + position).update(repeating: 0, count: padding)
            position += padding
            let values = (0..<length).map { _ in Double(Int.random(in: -500...500, using: &random))
            }
            for value in values {
              sums.input[position] = value
              position += 1
            }
            series.append(values)
          }
          sums.compute(count: position)
          var start = 0
          for values in series {
            start += padding
            let shortExpected = ReferenceRollingSums.sums(of: values, window: short)
            let longExpected = ReferenceRollingSums.sums(of: values, window: long)
            for index in values.indices {
              #expect(sums.shortSums[start + index] == shortExpected[index], "\(short), \(long)")
              #expect(sums.longSums[start + index] == longExpected[index], "\(short), \(long)")
            }
            start += values.count
          }
        }
      }
    }
  }

  @Test("a small value after a huge one is not lost")
  func carriesNoErrorOn() {
    let sums = RollingSums(shortWindow: 3, longWindow: 21, capacity: 128)
    for index in 0..<100 { sums.input[sums.padding + index] = index == 0 ? 1e18 : 1 }
    sums.compute(count: 128)
    #expect(sums.longSums[sums.padding + 21] == 21)
    #expect(sums.shortSums[sums.padding + 3] == 3)
  }
}
