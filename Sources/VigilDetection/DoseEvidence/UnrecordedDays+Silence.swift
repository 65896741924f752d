public import VigilModel

extension UnrecordedDays {
  /// The silent days of a person whom silence watches.
  ///
  /// A person is watched who has a usable value in the `watched_days` before a silence: who is known by doses alone has
  /// no device that could fall silent, and their missing doses count.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - signs: The signs of life of the block.
  ///   - block: The values of the metrics, on the days of `signs`.
  ///   - settings: Those of silence.
  /// - Complexity: O(days * metrics).
  public static func silentDays(
    ofPerson person: Int, _ signs: SignsOfLife, _ block: ObservationBlock,
    by settings: SilenceSettings
  ) -> Set<Day> {
    var silent: Set<Day> = []
    var lastWorn: Day?
    var isWatched = false
    var isSilent = false
    for (index, day) in block.days.enumerated() {
      let isWorn = (0..<block.metricCount).contains {
        !block.series(person: person, metric: $0)[index].isNaN
      }
      if isWorn { lastWorn = day }
      if isWorn || signs.contains(person: person, day: day) {
        isSilent = false
        continue
      }
      if !isSilent {
        isSilent = true
        isWatched =
          lastWorn.map { worn in
            settings.watchedDays.map { day - worn <= $0 } ?? true
          } ?? false
      }
      if isWatched { silent.insert(day) }
    }
    return silent
  }
}
