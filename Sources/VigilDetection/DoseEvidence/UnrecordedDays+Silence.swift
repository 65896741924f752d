public import VigilModel

extension UnrecordedDays {
  /// The silent days of a person whom silence watches.
  ///
  /// A person is watched who has a worn day in the `max_days` before a silence: who is known by doses alone has no device
  /// that could fall silent, and their missing doses count.
  ///
  /// - Parameters:
  ///   - person: The person.
  ///   - signs: The signs of life of the block.
  ///   - settings: Those of silence.
  /// - Complexity: O(days).
  public static func silentDays(
    ofPerson person: Int, _ signs: SignsOfLife, by settings: InactivitySettings
  ) -> Set<Day> {
    var silent: Set<Day> = []
    var isWatched: Bool?
    for index in 0..<(signs.days.upperBound - signs.days.lowerBound + 1) {
      let day = signs.days.lowerBound + index
      if signs.contains(person: person, day: day) {
        isWatched = nil
        continue
      }
      let watched =
        isWatched ?? signs.isWorn(person: person, inLast: settings.maxDays, before: day)
      isWatched = watched
      if watched { silent.insert(day) }
    }
    return silent
  }
}
