import VigilModel

extension ObservationBuilder {
  /// One metric of the current day; all zeros where it has no value yet.
  struct Cell: BitwiseCopyable {
    var value = 0.0
    var count = 0
    /// The source of `value` under a preference list.
    var source = 0
    /// One bit for each source that gave a value.
    var sources: UInt64 = 0
  }

  /// Takes a value of the current day, of one source among several.
  @inline(__always)
  func combine(_ value: Double, source: Int, into cell: inout Cell) {
    if cell.count == 0 {
      cell = Cell(value: value, count: 1, source: source)
      return
    }
    cell.count += 1
    switch merge {
    case .max: cell.value = max(cell.value, value)
    case .min: cell.value = min(cell.value, value)
    case .mean: cell.value += value
    case .prefer:
      if isPreferred(source, to: cell.source) {
        cell.value = value
        cell.source = source
      }
    }
  }

  /// Whether `source` precedes `other` under a preference list.
  private func isPreferred(_ source: Int, to other: Int) -> Bool {
    guard case .prefer(let names) = merge else { return false }
    let places = [source, other].map { names.firstIndex(of: sources[$0]) ?? names.count }
    if places[0] != places[1] { return places[0] < places[1] }
    return sources[source] < sources[other]
  }
}
