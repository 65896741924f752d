import TestPopulation
import Testing
import VigilLaboratory

@testable import vigil_quality

@Suite struct DeepSleepTests {
  @Test func deepSleepIsAssumedOnceAndOnlyBesideSleep() {
    var population = Population.uniform()
    population.assumeDeepSleep()
    #expect(population.metrics.count == 2)
    population.metrics[1].metric = "sleep_minutes"
    population.assumeDeepSleep()
    population.assumeDeepSleep()
    #expect(population.metrics.count == 3 && population.correlation.allSatisfy { $0.count == 3 })
    #expect(population.metrics[2].level.value(at: 0.5) == 75)
    #expect(population.correlation[1][2] == 0.5 && population.correlation[2][1] == 0.5)
  }
}
