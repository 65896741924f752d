import CVigil
import VigilModel

/// The rows of `VIGIL_DAYS`: the values that detection saw, as `vigil export observations` has them.
struct DayTable {
  private var table = ResultTable([
    .text("person"), .text("user_id"), .date("metric_date"), .text("metric_type"),
    .number("value"),
  ])

  mutating func append(_ person: PersonRows, day: Day, metric: MetricType, value: Double) {
    table.beginRow()
    table.add(person.name)
    table.add(person.id)
    table.add(day.ordinal)
    table.add(metric.rawValue)
    table.add(value)
  }

  mutating func take() -> ArrowArrayStream { table.take() }
}
