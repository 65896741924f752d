import TestSupport
import Testing

@testable import VigilImport

@Suite struct PartedFileTests {
  @Test(arguments: [1, 2, 7, 1_000])
  func givesTheValuesOfEachPartInTheirOrder(blockLength: Int) throws {
    let file = PartedFile<Int>(of: "numbers", partCount: 5, blockLength: blockLength)
    var random = TestSupport.SeededGenerator(seed: 11)
    var places: [Int: UInt64] = [:]
    for number in 0..<500 {
      let hash = UInt64.random(in: 0...40, using: &random)
      places[number] = hash
      try file.append(number, hash: hash)
    }
    var all: Set<Int> = []
    var partsOfHashes: [UInt64: Set<Int>] = [:]
    for part in 0..<5 {
      // As often as one likes.
      for _ in 0..<2 {
        var numbers: [Int] = []
        try file.forEach(ofPart: part) { numbers.append($0) }
        #expect(numbers == numbers.sorted())
        all.formUnion(numbers)
        for number in numbers { partsOfHashes[places[number] ?? 99, default: []].insert(part) }
      }
    }
    #expect(all == Set(0..<500))
    #expect(partsOfHashes.values.allSatisfy { $0.count == 1 })
    #expect(Set(partsOfHashes.values.flatMap(\.self)).count == 5)
  }

  @Test func anEmptyOneHasNothing() throws {
    let file = PartedFile<UInt8>(of: "bytes", partCount: 3)
    for part in 0..<3 { try file.forEach(ofPart: part) { _ in Issue.record("a value") } }
  }
}
