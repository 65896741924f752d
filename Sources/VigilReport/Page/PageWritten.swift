public import VigilModel

/// The output of `vigil report`: the file, and how many people it shows.
public struct PageWritten: Sendable {
  let file: String
  let days: ClosedRange<Day>
  let peopleInNeed: Int
  let peopleShown: Int

  public init(file: String, days: ClosedRange<Day>, peopleInNeed: Int, peopleShown: Int) {
    self.file = file
    self.days = days
    self.peopleInNeed = peopleInNeed
    self.peopleShown = peopleShown
  }
}

extension PageWritten: Report {
  public func text(style: TextStyle) -> String {
    let people = NumberText.count(peopleInNeed, "person needs", "people need")
    return "\(file.terminalSafe): \(days.lowerBound) to \(days.upperBound), \(people) attention,"
      + " \(NumberText.count(peopleShown)) with charts.\n"
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "file": file,
      "first_day": days.lowerBound,
      "last_day": days.upperBound,
      "people_in_need": peopleInNeed,
      "people_shown": peopleShown,
    ]
    try fields.encode(to: encoder)
  }
}
