extension Day {
  /// Birthdays up to this day, this day included; negative before the birth.
  ///
  /// A person born on 29 February has their birthday on 1 March in years without that date.
  public func completedYears(since birthDate: Day) -> Int {
    let (now, born) = (components, birthDate.components)
    let hasHadBirthday = (now.month, now.day) >= (born.month, born.day)
    return now.year - born.year - (hasHadBirthday ? 0 : 1)
  }
}

extension Day {
  /// The first day on which a person born on this day has completed `years` years; nil after the
  /// end of the calendar.
  public func birthday(_ years: Int) -> Day? {
    let born = components
    return Day(year: born.year + years, month: born.month, day: born.day)
      ?? Day(year: born.year + years, month: 3, day: 1)
  }
}
