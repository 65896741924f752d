import VigilDetection
import VigilModel

/// Counts the episodes of a profile by metric and by the size of the baseline with which they opened.
struct OpeningCounter {
  let detector: ProfileDetector
  /// Sizes of the baseline, ascending; an episode counts for the largest that is not above its own.
  let knots: [Int]

  /// Returns, by metric and knot, the openings in a corpus.
  ///
  /// Episodes of a metric under means count for the first knot.
  func count(in corpus: Corpus) async -> [[Int]] {
    let blocks = corpus.blocks
    let counts = await concurrentMap(blocks.count) { count(in: blocks[$0].observations) }
    return counts.reduce(into: [[Int]](of: detector.metrics.count, knots.count)) { $0.add($1) }
  }

  private func count(in block: ObservationBlock) -> [[Int]] {
    var result = FoldResult()
    BlockFold(thresholds: detector.thresholds, metrics: detector.metrics)
      .fold(block, over: FoldWindow(wholeHistory: block.days), into: &result)
    var counts = [[Int]](of: detector.metrics.count, knots.count)
    for folded in result.episodes {
      let metric = folded.series % detector.metrics.count
      let isJudgedByEvidence = detector.metrics[metric].evidence != nil
      let size = isJudgedByEvidence ? folded.episode.figures.baseline.count : knots[0]
      counts[metric][knots.lastIndex { $0 <= size } ?? 0] += 1
    }
    return counts
  }

  /// Returns, by metric and knot, the days with a value and a baseline, as if no episode had ended.
  func judgedDays(in corpus: Corpus) async -> [[Int]] {
    let blocks = corpus.blocks
    let days = await concurrentMap(blocks.count) { judgedDays(in: blocks[$0].observations) }
    return days.reduce(into: [[Int]](of: detector.metrics.count, knots.count)) { $0.add($1) }
  }

  func judgedDays(in block: ObservationBlock) -> [[Int]] {
    let settings = detector.thresholds.evidence
    var days = [[Int]](of: detector.metrics.count, knots.count)
    for series in 0..<block.seriesCount {
      let metric = series % block.metricCount
      let values = block.series(person: series / block.metricCount, metric: metric)
      var eligible = 0
      for day in values.indices {
        let left = day - settings.horizonDays - 1
        if left >= 0, !values[left].isNaN { eligible -= 1 }
        guard !values[day].isNaN else { continue }
        eligible += 1
        let size = settings.poolSize(eligible: eligible)
        if size > 0 { days[metric][knots.lastIndex { $0 <= size } ?? 0] += 1 }
      }
    }
    return days
  }
}

extension [[Int]] {
  /// Zeros.
  init(of rows: Int, _ columns: Int) {
    self.init(repeating: [Int](repeating: 0, count: columns), count: rows)
  }

  mutating func add(_ other: [[Int]]) {
    for row in indices {
      for column in self[row].indices { self[row][column] += other[row][column] }
    }
  }
}
