import VigilModel

/// The rows of one person that are not evaluated yet.
final class PersonRows {
  /// The person as the caller names them.
  let name: String
  /// The id that the command line gives a person of this name.
  let id: UUID

  /// By row, days since 1970-01-01.
  private(set) var days: [Int32] = []
  /// By row, the number of its source.
  private(set) var sources: [Int32] = []
  /// By row, whether a measurement in no column of `values` is above 0.
  private(set) var otherPositive: [Bool] = []
  /// By row, one value for each of the first `width` followed columns.
  private(set) var values: [Double] = []
  private(set) var width = 0
  /// Whether each row is of a later day than the one before.
  private var isSorted = true

  init(name: String) {
    self.name = name
    id = UUID(uuidString: name) ?? UUID(name: name)
  }

  /// Takes rows `range` of a staged batch.
  func append(_ range: Range<Int>, of batch: StagedRows) {
    widen(to: batch.width)
    for row in range {
      if let last = days.last, batch.days[row] <= last { isSorted = false }
      days.append(batch.days[row])
    }
    sources += batch.sources[range]
    let (firstRow, firstValue) = (otherPositive.count, values.count)
    otherPositive.append(contentsOf: repeatElement(false, count: range.count))
    values.append(contentsOf: repeatElement(.nan, count: range.count * width))
    values.withUnsafeMutableBufferPointer { values in
      otherPositive.withUnsafeMutableBufferPointer { positive in
        guard let values = values.baseAddress, let positive = positive.baseAddress else { return }
        batch.write(range, to: values + firstValue, otherPositive: positive + firstRow)
      }
    }
  }

  /// Makes room for columns that earlier batches had not.
  private func widen(to newWidth: Int) {
    guard newWidth > width else { return }
    var wider: [Double] = []
    wider.reserveCapacity(days.count * newWidth)
    for row in days.indices {
      wider += values[row * width..<(row + 1) * width]
      wider += repeatElement(.nan, count: newWidth - width)
    }
    (values, width) = (wider, newWidth)
  }

  /// The rows in the order of days and names of sources.
  ///
  /// - Throws: `Failure` where two rows are of one day and source.
  func order(_ sourceNames: [String]) throws(Failure) -> [Int]? {
    if isSorted { return nil }
    let order = days.indices.sorted { left, right in
      (days[left], sourceNames[Int(sources[left])]) < (
        days[right], sourceNames[Int(sources[right])]
      )
    }
    for (left, right) in zip(order, order.dropFirst())
    where days[left] == days[right] && sources[left] == sources[right] {
      let source = sourceNames[Int(sources[left])]
      throw .data(
        "person \"\(name)\" has two rows of \(Day(ordinal: days[left]))"
          + (source.isEmpty ? "" : " from source \"\(source)\"")
          + "; give one, or a column \"source\" in which they differ")
    }
    return order
  }
}
