import VigilModel

/// Values of a strip as text.
extension SeriesStrip {
  /// A value without its unit, or a duration: `9,974`, `6 h 52 min`.
  func text(of value: Double) -> String {
    isDuration ? DurationText.minutes(value) : language.value(value)
  }

  /// An axis that holds the values.
  func scale(holding values: [Double]) -> ValueScale {
    ValueScale(holding: values, steps: isDuration ? .minutes : .decimal)
  }

  /// The label of a tick: of durations hours, `6.5 h`, or minutes where the ticks are no halves of hours.
  func text(ofTick tick: Double, on scale: ValueScale) -> String {
    guard isDuration else { return language.value(tick) }
    return scale.ticks.allSatisfy { $0.truncatingRemainder(dividingBy: 30) == 0 }
      ? language.value(tick / 60) + " h" : language.value(tick) + " min"
  }
}
