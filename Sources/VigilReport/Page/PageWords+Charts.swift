import VigilCharts
import VigilModel
import VigilWords

extension PageWords {
  /// The words and signs of the drawings of the page.
  var ofCharts: ChartLanguage {
    ChartLanguage(
      months: shortMonths, weekdays: shortWeekdays, decimal: decimal, thousands: thousands,
      texts: Dictionary(
        uniqueKeysWithValues: charts.compactMap { name, text in
          ChartText(rawValue: name).map { ($0, text) }
        }))
  }

  /// The unit where the metric is named too: steps are not counted in steps.
  func unitBesideName(of metric: MetricType) -> String {
    let unit = unit(of: metric)
    return unit == words.name(of: metric).lowercased() || unit == words.name(of: metric) ? "" : unit
  }
}

extension PageWords {
  /// The texts beside the lanes of metrics.
  var besideLanes: StackedStrips.LaneWords {
    StackedStrips.LaneWords(ofCharts, label: { words.name(of: $0) }) { own in
      let unit = unitBesideName(of: own.metric)
      return text(
        own.episode == nil ? .besideUsual : .atFirst,
        [
          "value": words.isDuration(own.metric)
            ? value(own.recent, of: own.metric)
            : number(own.recent) + (unit.isEmpty ? "" : " \(unit)"),
          "usual": valueBeside(own.usual, of: own.metric),
        ])
    }
  }
}
