/// The values to score on eight days in a row: the sub-metrics that follow from the means of the
/// metrics, NaN where one is missing (specification, vitality.md section 1).
struct SubMetricValues {
  let sleepDuration: Days
  let restorative: Days
  let sleepEfficiency: Days
  let awake: Days
  let movementMinutes: Days
  let steps: Days
  let activeCalories: Days
  let hrv: Days
  let restingHeartRate: Days
  let breathingRate: Days

  /// - Parameter day: Index of the first of the days.
  @inline(__always)
  init(_ means: WindowMeans, slot: Int, day: Int) {
    func mean(_ metric: VitalityMetric) -> Days {
      UnsafeRawPointer(means.days(slot: slot, metric: metric) + day).loadUnaligned(as: Days.self)
    }
    func whole(_ metric: VitalityMetric) -> Days { Tolerance.rounded(mean(metric)) }
    /// A missing stage adds nothing.
    func orZero(_ values: Days) -> Days { values.replacing(with: 0, where: values .!= values) }
    func orMissing(_ values: Days) -> Days { values.replacing(with: .nan, where: values .== 0) }

    let deepAndREM = orZero(whole(.deepSleepMinutes)) + orZero(whole(.remSleepMinutes))
    let stages = deepAndREM + orZero(whole(.lightSleepMinutes))
    var sleep = orZero(whole(.sleepMinutes))
    sleep = orMissing(sleep.replacing(with: stages, where: sleep .== 0))
    let awakeMinutes = whole(.awakeMinutes)
    sleepDuration = sleep / 60
    restorative = Tolerance.rounded(100 * orMissing(deepAndREM) / sleep)
    awake = Tolerance.rounded(100 * awakeMinutes / orMissing(sleep + awakeMinutes))
    sleepEfficiency = mean(.sleepEfficiency)
    movementMinutes = whole(.movementMinutes)
    steps = whole(.steps)
    activeCalories = mean(.activeCalories)
    hrv = mean(.hrv)
    restingHeartRate = mean(.restingHeartRate)
    breathingRate = mean(.breathingRate)
  }

  @inline(__always)
  subscript(subMetric: SubMetric) -> Days {
    switch subMetric {
    case .sleepDuration: sleepDuration
    case .restorative: restorative
    case .sleepEfficiency: sleepEfficiency
    case .awake: awake
    case .movementMinutes: movementMinutes
    case .steps: steps
    case .activeCalories: activeCalories
    case .hrv: hrv
    case .restingHeartRate: restingHeartRate
    case .breathingRate: breathingRate
    }
  }
}
