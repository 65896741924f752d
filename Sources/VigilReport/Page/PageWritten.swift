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

  private struct Document: Encodable {
    var file: String
    var firstDay: Day
    var lastDay: Day
    var peopleInNeed: Int
    var peopleShown: Int
  }

  public func encode(to encoder: any Encoder) throws {
    try Document(
      file: file, firstDay: days.lowerBound, lastDay: days.upperBound,
      peopleInNeed: peopleInNeed, peopleShown: peopleShown
    ).encode(to: encoder)
  }
}
