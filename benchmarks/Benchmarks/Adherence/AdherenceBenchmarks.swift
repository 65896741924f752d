import Benchmark
import VigilAdherence
import VigilModel

// One iteration is 250 persons with 2 medications of 2 doses a day over 90 days: 90,000 expected
// doses. A throughput of 100 means 9 million doses a second.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput, .instructions], warmupIterations: 2,
    maxDuration: .seconds(2), maxIterations: 400)

  for travelling in [false, true] {
    Benchmark("evaluate, 90,000 expected doses\(travelling ? ", travellers" : "")") { benchmark in
      let data = AdherenceData(persons: 250, travelling: travelling)
      let block = data.block()
      let evaluator = AdherenceEvaluator(zones: data.zones)
      var result = AdherenceResult()
      evaluator.evaluate(block, over: data.window, into: &result)
      precondition(data.hasExpectedCounts(result))
      benchmark.startMeasurement()
      for _ in benchmark.scaledIterations {
        evaluator.evaluate(block, over: data.window, into: &result)
        blackHole(result.analytics.count)
      }
      benchmark.stopMeasurement()
    }
  }

  Benchmark("fill a block, 76,500 records") { benchmark in
    let data = AdherenceData(persons: 250, travelling: false)
    let block = data.block()
    precondition(block.recordCount > 70_000)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      block.removeAll()
      data.fill(block)
      blackHole(block.recordCount)
    }
    benchmark.stopMeasurement()
  }
}
