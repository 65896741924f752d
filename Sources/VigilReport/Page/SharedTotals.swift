import VigilModel

/// The counts of a page for others: rounded at random to a multiple of five, and left out where they would reveal
/// few people (analysis.md, section "A page for others").
///
/// A count is shown where it is rounded to at least 15, and at least 11 people do not have what it counts. Of the
/// counts that are left out, none follows from the shown ones: each may be anything from 0 to 14.
///
/// ```swift
/// let totals = SharedTotals(
///   persons: 40, inNeed: 32, byMetric: ["steps": [15, 14, 3, 0]], selection: StableHash())
/// print(totals.inNeed == 30 || totals.inNeed == 35)  // true
/// ```
struct SharedTotals {
  /// The number of persons; nil for fewer than `fewest`.
  let persons: Int?
  /// The number of those who need attention; nil where it is left out, and all of `rows` with it.
  let inNeed: Int?
  /// Metrics with at least one shown count, and their counts; nil for one that is left out.
  let rows: [(metric: String, counts: [Int?])]
  /// Whether a count was left out for the sake of another one, which a reader does not know.
  let hasLeftOutMore: Bool

  /// A page needs so many people; fewer are not shown as a count.
  static let fewest = 11
  private static let base = 5
  /// A count that is rounded to more is shown, and one that is left out is no more.
  static let mostHidden = 14

  /// - Parameters:
  ///   - inNeed: The number of persons who are counted in `byMetric`.
  ///   - byMetric: By metric, numbers of persons, each in at most one place of a metric.
  ///   - selection: Of the ids of the persons. Counts of other selections are rounded in other ways, so that
  ///     two of them do not differ by one person only.
  init(persons: Int, inNeed: Int, byMetric: [String: [Int]], selection: StableHash) {
    let rounding = Rounding(selection: selection)
    guard persons >= Self.fewest else {
      (self.persons, self.inNeed, rows, hasLeftOutMore) = (nil, nil, [], false)
      return
    }
    self.persons = rounding.round(persons, "persons")
    func shown(_ count: Int, _ name: String) -> Int? {
      let rounded = rounding.round(count, name)
      return rounded > Self.mostHidden && persons - count >= Self.fewest ? rounded : nil
    }
    self.inNeed = shown(inNeed, "in need")
    guard let all = self.inNeed else {
      (rows, hasLeftOutMore) = ([], false)
      return
    }
    var table = Table(
      all: all,
      rows: byMetric.sorted { $0.key < $1.key }.map { metric, counts in
        (
          metric: metric,
          counts: counts.enumerated().map { shown($0.element, "\(metric) \($0.offset)") }
        )
      })
    table.protect()
    (rows, hasLeftOutMore) = (table.rows, table.hasLeftOut)
  }

  /// Rounds down or up, up with the probability that makes the mean right.
  private struct Rounding {
    var selection: StableHash

    func round(_ count: Int, _ name: String) -> Int {
      var hash = selection
      hash.combine(name)
      let offset = Int(hash.short % UInt32(SharedTotals.base))
      return (count + offset) / SharedTotals.base * SharedTotals.base
    }
  }

  /// The counts by metric, of which more are left out until none of those that are follows from the others.
  private struct Table {
    var all: Int
    var rows: [(metric: String, counts: [Int?])]
    private(set) var hasLeftOut = false

    init(all: Int, rows: [(metric: String, counts: [Int?])]) {
      self.all = all
      self.rows = rows
    }

    /// The most that a true count differs from the shown one.
    private static let most = SharedTotals.base - 1

    mutating func protect() {
      removeEmptyRows()
      while let places = placesThatReveal {
        let smallest = places.min { shown(at: $0) < shown(at: $1) }
        guard let smallest else { return }
        rows[smallest.row].counts[smallest.column] = nil
        hasLeftOut = true
        removeEmptyRows()
      }
    }

    private struct Place {
      var row: Int
      var column: Int
    }

    private func shown(at place: Place) -> Int { rows[place.row].counts[place.column] ?? 0 }

    private mutating func removeEmptyRows() {
      rows.removeAll { $0.counts.allSatisfy { $0 == nil } }
    }

    /// The shown counts of which one has to go, because one that is left out follows; nil where none does.
    private var placesThatReveal: [Place]? {
      for (number, row) in rows.enumerated() where row.counts.contains(nil) {
        // A person is in at most one place of a metric: what is left out is at most the rest of all.
        let shown = row.counts.compactMap(\.self).reduce(0) { $0 + $1 - Self.most }
        if all + Self.most - shown < SharedTotals.mostHidden { return places(in: [number]) }
      }
      // Each person who needs attention is in some place: what is left out is at least what the others lack. Once
      // a count has been left out for the sake of another, they may be of any size.
      let hidden = rows.reduce(0) { $0 + $1.counts.count { $0 == nil } }
      guard hidden > 0, !hasLeftOut else { return nil }
      let most = rows.flatMap(\.counts).compactMap(\.self).reduce(0) { $0 + $1 + Self.most }
      let lacking = all - Self.most - most - (hidden - 1) * SharedTotals.mostHidden
      // Where they lack more than one count can be, there are other metrics, and nothing follows.
      return (1...SharedTotals.mostHidden).contains(lacking)
        ? places(in: Array(rows.indices)) : nil
    }

    private func places(in rows: [Int]) -> [Place] {
      rows.flatMap { row in
        self.rows[row].counts.indices.compactMap { column in
          self.rows[row].counts[column] == nil ? nil : Place(row: row, column: column)
        }
      }
    }
  }
}
