import TestPopulation
import Testing
import VigilModel

@testable import VigilLaboratory

@Suite struct NamedDevicesTests {
  private let first = Corpus.firstDay

  private func changes(_ values: [Double], starts: [Int]) -> [DeviceChange] {
    values.withUnsafeBufferPointer {
      NamedDevices.changes(in: $0, starts: starts, firstDay: first)
    }
  }

  @Test func theThirdValueOfADeviceRecognizesIt() {
    var values = [Double](repeating: 1, count: 40)
    values[20] = .nan
    values[22] = .nan
    let change = DeviceChange(
      recognizedOn: first + 24, since: first + 21,
      horizons: Day.calendar.lowerBound...(first + 10))
    #expect(changes(values, starts: [20]) == [change])
  }

  @Test func fewValuesBeforeOrAfterShowNoChange() {
    let values = [Double](repeating: 1, count: 40)
    #expect(changes(values, starts: [9]).isEmpty)
    #expect(changes(values, starts: [10]).count == 1)
    #expect(changes(values, starts: [38]).isEmpty)
    // The second device is gone before its third value.
    #expect(changes(values, starts: [20, 22]).map(\.since) == [first + 22])
  }

  /// A new device reads otherwise; the series of the days before is that of a person who keeps theirs.
  @Test func aDeviceChangesTheDaysAfterIt() throws {
    var conditions = SimulationConditions.plain
    conditions.deviceChangesPerYear = 1
    let population = Population.uniform(wear: 1)
    let simulator = Simulator(population: population, conditions: conditions, seed: 1)
    let same = Simulator(population: population, conditions: .plain, seed: 1)
    let number = try #require(
      (0..<50).first { simulator.person($0, dayCount: 365).deviceChanges.count == 1 })
    let start = simulator.person(number, dayCount: 365).deviceChanges[0]
    let blocks = [simulator, same].map { simulator in
      let block = ObservationBlock(personCount: 1, metricCount: 2, days: first...(first + 364))
      simulator.write(simulator.person(number, dayCount: 365), slot: 0, into: block)
      return block
    }
    let differences = (0..<365).map {
      blocks[0].series(person: 0, metric: 1)[$0] - blocks[1].series(person: 0, metric: 1)[$0]
    }
    #expect(differences[..<start].allSatisfy { $0 == 0 })
    #expect(differences[start...].allSatisfy { ($0 - differences[start]).magnitude < 1e-9 })
    #expect(differences[start] != 0)
  }
}
