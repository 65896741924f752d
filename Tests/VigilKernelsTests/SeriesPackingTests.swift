import TestSupport
import Testing
import VigilKernels

@Suite struct SeriesPackingTests {
  private func pack(
    _ series: SeriesNotation
  ) -> (result: SeriesPacking.Result, values: [Double], days: [Int32]) {
    var target = [Double](repeating: -1, count: series.values.count)
    var days = [Int32](repeating: -1, count: series.values.count)
    let result = series.values.withUnsafeBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        days.withUnsafeMutableBufferPointer { days in
          SeriesPacking.pack(
            source, into: target.baseAddress.unsafelyUnwrapped,
            days: days.baseAddress.unsafelyUnwrapped)
        }
      }
    }
    return (result, target, Array(days.prefix(result.isContiguous ? 0 : result.count)))
  }

  @Test func emptySeries() {
    let (result, values, _) = pack("_x5")
    #expect(result == .init(count: 0, firstDay: 0, isContiguous: true))
    #expect(values == [0, 0, 0, 0, 0])
  }

  @Test func contiguousSeriesKeepsItsFirstDay() {
    let (result, values, _) = pack("_x2 5 6 7 _x3")
    #expect(result == .init(count: 3, firstDay: 2, isContiguous: true))
    #expect(values == [5, 6, 7, 0, 0, 0, 0, 0])
  }

  @Test func gapsAreClosedAndDaysRecorded() {
    let (result, values, days) = pack("_ 5 _ 6 7 _x2 0 _")
    #expect(result == .init(count: 4, firstDay: 1, isContiguous: false))
    #expect(values == [5, 6, 7, 0, 0, 0, 0, 0, 0])
    #expect(days == [1, 3, 4, 7])
  }

  @Test("equals a filter, for random gaps of all densities")
  func agreesWithFilter() {
    for seed in 0..<2000 {
      var random = SeededGenerator(seed: seed)
      let chance = Double.random(in: 0...1, using: &random)
      let values = (0..<Int.random(in: 1...70, using: &random)).map {
        random.chance(chance) ? Double.nan : Double($0 + 1)
      }
      let (result, packed, days) = pack(SeriesNotation(values: values))
      let kept = values.indices.filter { !values[$0].isNaN }
      #expect(
        packed == kept.map { values[$0] } + Array(repeating: 0, count: values.count - kept.count))
      #expect(result.count == kept.count)
      #expect(result.firstDay == kept.first ?? 0)
      let isContiguous = kept.isEmpty || kept.count == kept[kept.count - 1] - kept[0] + 1
      #expect(result.isContiguous == isContiguous)
      if !isContiguous { #expect(days == kept.map { Int32($0) }) }
    }
  }
}
