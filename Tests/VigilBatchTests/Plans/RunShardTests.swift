import Foundation
import Testing
import VigilModel
import VigilStorage

@Suite struct RunShardTests {
  /// Processes of two versions may share a run: none may evaluate a person that another one has, and none
  /// may leave one out.
  @Test func aPersonIsInTheSameShardInEveryVersion() throws {
    let shards = try (1...5).map { try #require(RunShard($0, of: 5)) }
    let persons = (0..<12).map { UUID(name: "person \($0)") }
    let found = persons.map { person in shards.filter { $0.contains(person) }.map(\.index) }
    #expect(found == [[2], [4], [4], [2], [4], [5], [3], [3], [5], [4], [3], [3]])
  }
}
