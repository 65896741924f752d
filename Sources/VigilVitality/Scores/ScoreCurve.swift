/// The score of one sub-metric in one age group as a function of its value (specification, vitality.md
/// section 1): a line through knots, level outside them, which may fall to 0 at its last knot.
struct ScoreCurve {
  /// Ascending, and only the first `rampCount + 1` used.
  private var knots = SIMD8<Double>.zero
  private var tolerances = SIMD8<Double>.zero
  /// By ramp, 1 / width and the change of the score.
  private var inverses = SIMD8<Double>.zero
  private var heights = SIMD8<Double>.zero
  private var rampCount: Int
  /// The score up to the first knot.
  private var base: Double
  /// From this value on the score is 0, wherever the line is.
  private var zeroFrom: Double

  init(_ bands: ScoreBands, direction: ScoreDirection) {
    let (poorLow, poorHigh) = (bands.effectivePoorLow, bands.effectivePoorHigh)
    let line: [(value: Double, score: Double)]
    zeroFrom = .infinity
    switch direction {
    case .optimalRange:
      line = [
        (poorLow, 0), (bands.acceptable.lowerBound, 50), (bands.optimal.lowerBound, 80),
        (bands.optimal.upperBound, 100), (bands.acceptable.upperBound, 80), (poorHigh, 50),
      ]
      zeroFrom = poorHigh
    case .higher:
      line = [
        (poorLow, 0), (bands.acceptable.lowerBound, 60), (bands.optimal.lowerBound, 80),
        (bands.optimal.upperBound, 100),
      ]
    case .lower:
      line = [
        (bands.optimal.lowerBound, 100), (bands.optimal.upperBound, 80),
        (bands.acceptable.upperBound, 60), (poorHigh, 0),
      ]
    }
    base = line[0].score
    rampCount = line.count - 1
    for (index, knot) in line.enumerated() {
      knots[index] = knot.value
      tolerances[index] = Tolerance.of(knot.value)
      guard index < rampCount else { continue }
      inverses[index] = 1 / (line[index + 1].value - knot.value)
      heights[index] = line[index + 1].score - knot.score
    }
  }

  /// Scores 0...100 without fraction, NaN where the value is.
  @inline(__always)
  func scores(of values: Days) -> Days {
    var values = values
    for knot in 0...rampCount {
      let distance = values - knots[knot]
      values.replace(
        with: Days(repeating: knots[knot]),
        where: (distance .<= tolerances[knot]) .& (distance .>= -tolerances[knot]))
    }
    var line = Days(repeating: base)
    for ramp in 0..<rampCount {
      var part = (values - knots[ramp]) * inverses[ramp]
      part.replace(with: 0, where: part .< 0)
      part.replace(with: 1, where: part .> 1)
      line += part * heights[ramp]
    }
    line.replace(with: 0, where: values .>= zeroFrom)
    return Tolerance.truncated(line)
  }
}
