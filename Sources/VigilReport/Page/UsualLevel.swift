import Foundation
import VigilCharts
import VigilModel

/// The distance of the last seven days from the 28 days before, or before the episode.
///
/// It is the same measure for every metric and profile: no verdict, only a place on the axis of the page.
struct UsualLevel: Hashable {
  /// The mean of the last seven days.
  var recent: Double
  /// The mean of the days before.
  var usual: Double
  /// The distance in standard deviations of the days before; nil where all of those have the same value.
  var spreads: Double?

  static let recentDays = 7
  static let fewestRecent = 4
  static let usualDays = 28
  static let fewestUsual = 14

  /// - Parameters:
  ///   - readings: One for each day; the last one is the evaluated day.
  ///   - lastDay: The day of the last reading.
  ///   - episode: The first day of the active episode of the metric; nil for none.
  /// - Returns: Nil where there are too few values.
  init?(_ readings: [SeriesStrip.Reading], to lastDay: Day, before episode: Day?) {
    let recentValues = readings.suffix(Self.recentDays).compactMap(\.value)
    let days = episode.map { max(Self.recentDays, lastDay - $0 + 1) } ?? Self.recentDays
    let usualValues = readings.dropLast(days).suffix(Self.usualDays).compactMap(\.value)
    guard recentValues.count >= Self.fewestRecent, usualValues.count >= Self.fewestUsual else {
      return nil
    }
    recent = recentValues.reduce(0, +) / Double(recentValues.count)
    let mean = usualValues.reduce(0, +) / Double(usualValues.count)
    let squares = usualValues.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(usualValues.count - 1)).squareRoot()
    usual = mean
    spreads = deviation > 1e-9 ? (recent - mean) / deviation : nil
  }
}
