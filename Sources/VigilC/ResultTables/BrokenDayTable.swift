import CVigil
import VigilModel

/// The rows of `VIGIL_BROKEN_DAYS`: the days on which a feed was broken.
struct BrokenDayTable {
  private var table = ResultTable([.text("feed"), .date("date")])

  init(_ broken: BrokenDays) {
    for (feed, days) in [("observations", broken.observations), ("doses", broken.doses)] {
      for day in days.sorted() {
        table.beginRow()
        table.add(feed)
        table.add(day.ordinal)
      }
    }
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
