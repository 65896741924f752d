import Testing
import VigilModel

@Suite struct NameStartTests {
  /// Around the ends of blocks of 64 bytes, too.
  @Test func aNameInTwoPartsHasTheIDOfTheWhole() {
    let name = String(repeating: "0123456789é", count: 14)
    for cut in name.indices {
      let start = NameStart(String(name[..<cut]))
      #expect(start.id(endingWith: String(name[cut...])) == UUID(name: name))
      // A beginning stays as it is.
      #expect(start.id(endingWith: "") == UUID(name: String(name[..<cut])))
    }
  }

  @Test func namespacesCount() {
    let other = NameStart("a", namespace: UUID(name: "other"))
    #expect(other.id(endingWith: "b") == UUID(name: "ab", namespace: UUID(name: "other")))
    #expect(other.id(endingWith: "b") != UUID(name: "ab"))
  }
}
