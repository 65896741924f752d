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
}
