import Benchmark
import Foundation
import VigilDetection
import VigilModel

// One iteration is one million series-days, so a throughput of 200 means 200 million a second.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], warmupIterations: 2, maxDuration: .seconds(2),
    maxIterations: 400)

  for profile in CoreData.Profile.allCases {
    Benchmark("fold \(profile), 1 M series-days, generated people") { benchmark in
      let data = try CoreData(profile: profile, seriesDays: 1_000_000)
      let fold = BlockFold(thresholds: data.thresholds, metrics: data.metrics)
      var result = FoldResult()
      fold.fold(data.block, over: data.window, into: &result)
      precondition(result.seriesWithData == data.block.seriesCount)
      precondition(result.episodes.count >= profile.leastEpisodes)
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        fold.fold(data.block, over: data.window, into: &result)
        blackHole(result.episodes.count)
      }
      benchmark.stopMeasurement()
    }
  }

  Benchmark("plain-loop twin v1, 1 M series-days, generated people") { benchmark in
    let data = try CoreData(profile: .v1, seriesDays: 1_000_000)
    let twin = PlainLoopTwin(thresholds: data.thresholds, metrics: data.metrics)
    var result = FoldResult()
    BlockFold(thresholds: data.thresholds, metrics: data.metrics)
      .fold(data.block, over: data.window, into: &result)
    precondition(twin.episodeCount(in: data.block) == result.episodes.count)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      blackHole(twin.episodeCount(in: data.block))
    }
    benchmark.stopMeasurement()
  }

  vitalityBenchmarks()

  // The memory's own speed: every value of a block far larger than the caches is read once.
  Benchmark("read memory, 64 Mi doubles (512 MiB)") { benchmark in
    let count = 64 << 20
    let values = UnsafeMutablePointer<Double>.allocate(capacity: count)
    values.initialize(repeating: 1, count: count)
    defer { values.deallocate() }
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      blackHole(sum(values, count))
    }
    benchmark.stopMeasurement()
  }
}

/// Eight sums at once, so that the additions do not wait for each other.
func sum(_ values: UnsafePointer<Double>, _ count: Int) -> Double {
  var sums = (0..<4).map { _ in SIMD8<Double>.zero }
  let vectors = UnsafeRawPointer(values).assumingMemoryBound(to: SIMD8<Double>.self)
  for index in stride(from: 0, to: count / 8, by: 4) {
    sums[0] += vectors[index]
    sums[1] += vectors[index + 1]
    sums[2] += vectors[index + 2]
    sums[3] += vectors[index + 3]
  }
  return sums.map { $0.sum() }.reduce(0, +)
}
