#if VIGIL_CHECK_INVARIANTS
  import Testing
  import VigilModel

  @testable import VigilDetection

  /// A state that contradicts itself ends the process, where the build checks for it.
  @Suite struct EpisodeMachineInvariantsTests {
    @Test func anActiveEpisodeOfMoreCleanDaysThanEndIt() async {
      await #expect(processExitsWith: .failure) {
        let day = Day(ordinal: 20_000)
        var machine = EpisodeMachine(
          settings: EpisodeMachine.Settings(try Profiles.named("v2")),
          resuming: EpisodeMachine.ActiveEpisode(
            activeSince: day - 30, lastDeviating: day - 20, level: .day7, lastNotClean: day + 1,
            lastKnown: day - 20, deviatingSince: nil))
        let clean: DayVerdict = [.normal, .clean]
        _ = machine.step(day, verdict: clean, rolling: clean, runStart: day)
      }
    }

    @Test func aConsistentEpisodeGoesOn() throws {
      let day = Day(ordinal: 20_000)
      var machine = EpisodeMachine(
        settings: EpisodeMachine.Settings(try Profiles.named("v2")),
        resuming: EpisodeMachine.ActiveEpisode(
          activeSince: day - 30, lastDeviating: day - 1, level: .day21, lastNotClean: day - 1,
          lastKnown: day - 1, deviatingSince: nil))
      #expect(
        machine.step(day, verdict: [.normal, .clean], rolling: [.normal, .clean], runStart: day)
          == .none)
    }

    @Test func anInfiniteObservation() async {
      await #expect(processExitsWith: .failure) {
        let day = Day(ordinal: 20_000)
        let block = ObservationBlock(personCount: 1, metricCount: 1, days: day...day + 3)
        block.series(person: 0, metric: 0)[2] = .infinity
        block._checkInvariants()
      }
    }

    @Test func aLevelOfNoEpisode() async {
      await #expect(processExitsWith: .failure) {
        var result = FoldResult()
        result.levels = [
          FoldedLevel(episode: 0, day: Day(ordinal: 20_000), level: .day3, duration: 3)
        ]
        result._checkInvariants()
      }
    }
  }
#endif
