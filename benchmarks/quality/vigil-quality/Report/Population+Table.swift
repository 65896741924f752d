import VigilAnalysis
import VigilLaboratory

extension Population {
  /// A row for each of some metrics: how people differ in it, and how the days of a person do.
  func table(of names: [String]) -> String {
    var table = MarkdownTable([
      "metric", "scale", "people fitted", "days", "level", "spread", "autocorrelation",
      "days with a value",
    ])
    for metric in metrics where names.contains(metric.metric) {
      func middle(_ quantiles: QuantileTable, _ decimals: Int) -> String {
        let (low, high) = (quantiles.value(at: 0.1), quantiles.value(at: 0.9))
        return "\(quantiles.value(at: 0.5).text(decimals)) (\(low.text(decimals)) to "
          + "\(high.text(decimals)))"
      }
      let decimals = metric.scale == .log ? 2 : 1
      table.add([
        metric.metric, metric.scale.rawValue,
        metric.assumed == nil ? String(metric.people) : "assumed", String(metric.observations),
        middle(metric.level, decimals), middle(metric.spread, decimals),
        middle(metric.autocorrelation, 2), middle(metric.wear, 2),
      ])
    }
    return table.text
  }
}
