import VigilCharts

extension UsualMetric {
  /// Its figures beside its name, such as `at first 264, usual 425 min`.
  func note(unit: String) -> String {
    let english = ChartLanguage.english
    return (episode == nil ? "" : "at first ") + english.value(recent) + ", usual "
      + english.value(usual) + (unit.isEmpty ? "" : " \(unit)")
  }
}
