import Testing
import VigilModel
import VigilPipeline

@Suite struct FoundDaysTests {
  private let first = Day(ordinal: 20_000)

  @Test func daysInARowAreOneEpisode() {
    let days = [4, 2, 3, 3, 9].map { first + $0 }
    let episodes = FoundDays.episodes(on: days, evaluatedThrough: first + 9)
    #expect(episodes.map(\.activeSince) == [first + 2, first + 9])
    #expect(episodes.map(\.duration) == [3, 1])
    #expect(episodes[0].resolution == .init(day: first + 5, reason: .recovered))
    #expect(episodes[1].isActive)
  }

  @Test func levelsAreThoseOfMedications() {
    let days = (0..<14).map { first + $0 }
    let episode = FoundDays.episodes(on: days, evaluatedThrough: first + 20)[0]
    #expect(episode.level == PatternType.medication.level(afterDays: 14))
    #expect(episode.lastEvaluated == first + 14)
    #expect(episode.figures.recent.value == 14)
  }

  @Test func runsOfRangesThatTouchAreJoined() {
    let parts = [(first + 5)...(first + 6), first...(first + 2), (first + 3)...(first + 3)]
    #expect(FoundDays.runs(of: parts) == [first...(first + 3), (first + 5)...(first + 6)])
    #expect(FoundDays.runs(of: []) == [])
  }
}
