import Testing
import VigilPipeline

@Suite struct BlockSizeTests {
  @Test(arguments: [1, 400, 4_000, 600_000])
  func aBlockFitsTheCaches(values: Int) {
    for followsDoses in [false, true] {
      let persons = BlockSize.persons(
        values: values, evaluatedDays: 30, followsDoses: followsDoses)
      #expect(persons == 1 || persons * values <= BlockSize.mostValues)
      #expect(persons <= (followsDoses ? 512 : 1024))
    }
  }

  @Test func dosesTakeRoom() {
    let without = BlockSize.persons(values: 1_000, evaluatedDays: 30, followsDoses: false)
    #expect(
      BlockSize.persons(values: 1_000, evaluatedDays: 30, followsDoses: true) < without)
  }
}
