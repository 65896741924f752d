import Foundation
import VigilLaboratory

/// The delay that no detector with a given rate of false alarms can undercut, as the rate goes to zero.
///
/// ```swift
/// let days = LordenBound.days(size: 1.5, autocorrelation: 0.13, alarmsPerSeriesYear: 0.13, wear: 0.9)
/// print(Int(days.rounded()))  // 10
/// ```
///
/// Lorden (Annals of Mathematical Statistics 42, 1971): the worst mean delay is at least
/// `log(observations between false alarms) / I`, where `I` is the information that one observation
/// gives on the change. It is asymptotic: at finite rates, known parameters can be a little faster.
enum LordenBound {
  /// Returns the information of one changed observation, in nats.
  ///
  /// A shift of `size` standard deviations moves the innovation of an AR(1) series by
  /// `size * (1 - a)`, whose standard deviation is `sqrt(1 - a^2)`. The first changed observation, which
  /// moves by all of `size`, adds a constant that the bound leaves out.
  ///
  /// - Parameters:
  ///   - size: The shift in standard deviations of the series.
  ///   - autocorrelation: Of neighbouring observations, above -1, below 1.
  static func information(size: Double, autocorrelation a: Double) -> Double {
    size * size * (1 - a) / (1 + a) / 2
  }

  /// Returns the bound in calendar days.
  ///
  /// - Parameters:
  ///   - size: The shift in standard deviations of the series, above 0.
  ///   - autocorrelation: Of neighbouring observations, above -1, below 1.
  ///   - alarmsPerSeriesYear: False alarms in 365 observations.
  ///   - wear: The share of days with a value, above 0.
  static func days(
    size: Double, autocorrelation: Double, alarmsPerSeriesYear: Double, wear: Double
  ) -> Double {
    let between = 365 / alarmsPerSeriesYear
    return log(between) / information(size: size, autocorrelation: autocorrelation) / wear
  }
}
