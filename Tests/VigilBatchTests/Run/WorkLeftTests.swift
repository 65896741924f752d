import Foundation
import TestSupport
import Testing
import VigilModel
import VigilStorage

@testable import VigilBatch

@Suite struct WorkLeftTests {
  private let persons = (0..<40).map { UUID(name: "person \($0)") }.sorted()

  /// The input of some persons: a row each, written at the same time.
  private func input(of persons: ArraySlice<UUID>) -> InputFingerprint {
    InputFingerprint(
      metricRows: persons.count, newestUpdate: persons.isEmpty ? nil : BatchDatabase.now,
      updateSeconds: 0,
      workoutDays: 0)
  }

  private func checkpoint(_ range: Range<Int>) -> BatchCheckpoint {
    var counts = RunRecord.Counts()
    counts.persons = range.count
    return BatchCheckpoint(
      firstPerson: persons[range.lowerBound], lastPerson: persons[range.upperBound - 1],
      counts: counts, input: input(of: persons[range]))
  }

  @Test func withoutCheckpointsEverybodyIsLeft() {
    let left = WorkLeft(persons: persons, checkpoints: [], fingerprint: input)
    #expect(left.ranges == [persons[...]])
    #expect(left.personsDone == 0)
  }

  @Test(arguments: 1...30)
  func whoIsDoneAndWhoIsLeftAreEverybodyOnce(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var done: [Range<Int>] = []
    var start = 0
    while start < persons.count {
      let end = min(start + Int.random(in: 1...9, using: &random), persons.count)
      if random.chance(0.5) { done.append(start..<end) }
      start = end
    }
    let left = WorkLeft(
      persons: persons, checkpoints: done.map(checkpoint).shuffled(using: &random),
      fingerprint: input)
    #expect(left.outdated.isEmpty)
    #expect(left.personsDone == done.joined().count)
    let queue = BatchQueue(ranges: left.ranges, size: Int.random(in: 1...9, using: &random))
    var everybody = done.flatMap { persons[$0] }
    while let batch = queue.next() {
      let first = try #require(persons.firstIndex(of: batch[0]))
      #expect(batch == Array(persons[first..<first + batch.count]))
      everybody += batch
    }
    #expect(everybody.sorted() == persons)
  }

  @Test func batchWhoseInputHasChangedIsLeft() {
    let checkpoints = [checkpoint(0..<10), checkpoint(10..<20)]
    for change in [
      { (now: inout InputFingerprint) in now.metricRows += 1 },
      { now in now.newestUpdate = now.newestUpdate?.adding(seconds: 1) },
      { now in now.workoutDays += 1 },
    ] {
      let left = WorkLeft(persons: persons, checkpoints: checkpoints) { some in
        var now = input(of: some)
        if some.contains(persons[12]) { change(&now) }
        return now
      }
      #expect(left.outdated == [checkpoints[1]])
      #expect(left.ranges == [persons[10...]])
    }
  }

  @Test func batchOfInputWithoutUpdateTimesIsLeft() {
    var silent = checkpoint(0..<10)
    silent.input.updateSeconds = nil
    let left = WorkLeft(persons: persons, checkpoints: [silent]) { some in
      InputFingerprint(
        metricRows: some.count, newestUpdate: silent.input.newestUpdate, updateSeconds: nil,
        workoutDays: 0)
    }
    #expect(left.outdated == [silent])
    #expect(left.ranges == [persons[...]])
  }

  @Test func aNewPersonLeavesTheBatchAroundThem() {
    let before = Array(persons[..<5] + persons[6...])
    var around = checkpoint(3..<8)
    around.counts.persons = 4
    around.input = input(of: before[3..<7])
    let left = WorkLeft(
      persons: persons, checkpoints: [around, checkpoint(20..<30)], fingerprint: input)
    #expect(left.outdated == [around])
    #expect(left.ranges == [persons[..<20], persons[30...]])
  }

  /// A person without data is evaluated for an episode, and has gone once a batch has ended that.
  @Test(arguments: [10, 14, 19])
  func batchStandsThoughAPersonWithoutDataHasGone(gone: Int) {
    var with = checkpoint(10..<20)
    with.input.metricRows -= 1
    with.input.workoutDays = 2
    let rest = Array(persons[..<gone] + persons[(gone + 1)...])
    let left = WorkLeft(persons: rest, checkpoints: [with], fingerprint: input)
    #expect(left.outdated.isEmpty)
    #expect(left.ranges == [rest[..<10], rest[19...]])
    #expect(left.personsDone == 9)
  }

  @Test func batchWithoutAnyOfItsPersonsStands() {
    var alone = checkpoint(10..<11)
    alone.input = InputFingerprint(
      metricRows: 0, newestUpdate: nil, updateSeconds: 0, workoutDays: 0)
    let rest = Array(persons[..<10] + persons[11...])
    let left = WorkLeft(
      persons: rest, checkpoints: [checkpoint(5..<10), alone], fingerprint: input)
    #expect(left.outdated.isEmpty)
    #expect(left.ranges == [rest[..<5], rest[10...]])
  }
}
