import Foundation
import Testing
import VigilModel

@Suite struct UUIDPrefixTests {
  private let id = "0f3a2b1c-6f5c-5a53-9d1c-5e0f4b7a9c21"

  @Test func aPrefixSpansTheIdsThatBeginWithIt() throws {
    let prefix = try #require(UUIDPrefix("0F3A2b1c-6f"))
    #expect(prefix.lowest.lowercased == "0f3a2b1c-6f00-0000-0000-000000000000")
    #expect(prefix.highest.lowercased == "0f3a2b1c-6fff-ffff-ffff-ffffffffffff")
  }

  @Test func aWholeIdIsItsOwnPrefix() throws {
    let whole = try #require(UUID(uuidString: id))
    #expect(UUIDPrefix(id) == UUIDPrefix(whole))
    #expect(UUIDPrefix(id.replacing("-", with: "")) == UUIDPrefix(whole))
  }

  @Test(arguments: [
    "", "0f3", "0f3g", "0f3a2b1c-6f5c-5a53-9d1c-5e0f4b7a9c210", "participant", "0f3٣",
  ])
  func whatIsNoBeginningOfAnIdIsNone(text: String) {
    #expect(UUIDPrefix(text) == nil)
  }
}
