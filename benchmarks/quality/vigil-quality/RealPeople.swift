import Foundation
import VigilDetection
import VigilLaboratory
import VigilModel

/// The daily rows of real people: a folder with `wearable_daily_metrics.csv` in the column names of Vigil.
struct RealPeople {
  /// The rows of one person, by day.
  struct Person {
    var id: String
    var rows: [Row] = []
  }

  struct Row {
    var day: Day
    var source: String
    /// By column of `columns`; NaN where the field is empty.
    var values: [Double]
  }

  var columns: [String]
  var people: [Person] = []

  /// - Throws: `QualityError` where the file is missing or not in this form.
  init(folder: String) throws {
    let path = folder + "/wearable_daily_metrics.csv"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw QualityError("cannot read \(path); give the folder that holds it")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    let header = (lines.first ?? "").split(separator: ",").map(String.init)
    guard header.starts(with: ["user_id", "metric_date", "source"]) else {
      throw QualityError("\(path) does not begin with user_id,metric_date,source")
    }
    columns = Array(header.dropFirst(3))
    var indexes: [String: Int] = [:]
    for (number, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == header.count, let day = Day(fields[1]) else {
        throw QualityError("\(path):\(number + 1): not \(header.count) fields with a date")
      }
      let index = indexes[fields[0]] ?? people.count
      if index == people.count {
        indexes[fields[0]] = index
        people.append(Person(id: fields[0]))
      }
      people[index].rows.append(
        Row(day: day, source: fields[2], values: fields.dropFirst(3).map { Double($0) ?? .nan }))
    }
    for index in people.indices { people[index].rows.sort { $0.day < $1.day } }
  }

  /// The block of one person, cleaned as a profile says.
  func block(of person: Person, metrics: [MetricThresholds], thresholds: Thresholds)
    -> ObservationBlock?
  {
    guard let first = person.rows.first?.day, let last = person.rows.last?.day else { return nil }
    let block = ObservationBlock(
      personCount: 1, metricCount: metrics.count, days: first...last)
    let builder = ObservationBuilder(
      block: block, metrics: metrics, thresholds: thresholds,
      wearColumns: thresholds.wearColumns(beside: metrics) { columns.contains($0.rawValue) })
    builder.begin()
    let places = builder.columns.map { columns.firstIndex(of: $0.rawValue) }
    let others = columns.indices.filter { place in
      let column = MetricType(columns[place])
      return column != .wornMinutes && !builder.columns.contains(column)
    }
    for row in person.rows {
      let values = places.map { $0.map { row.values[$0] } ?? .nan }
      values.withUnsafeBufferPointer {
        builder.append(
          person: 0, day: row.day, source: builder.index(ofSource: row.source), values: $0,
          isOtherPositive: others.contains { ObservationBuilder.isPositive(row.values[$0]) },
          updatedAt: nil)
      }
    }
    builder.finish()
    return block
  }

  /// The series of all people, cleaned as a profile says.
  func series(metrics: [MetricThresholds], thresholds: Thresholds) -> [RealSeries] {
    var series: [RealSeries] = []
    for (number, person) in people.enumerated() {
      guard let block = block(of: person, metrics: metrics, thresholds: thresholds) else {
        continue
      }
      for (index, metric) in metrics.enumerated() {
        let values = block.series(person: 0, metric: index)
        let days = values.indices.filter { !values[$0].isNaN }
        guard !days.isEmpty else { continue }
        series.append(
          RealSeries(
            person: number, metric: metric.metric.rawValue,
            days: days.map { block.days.lowerBound + $0 }, values: days.map { values[$0] }))
      }
    }
    return series
  }
}
