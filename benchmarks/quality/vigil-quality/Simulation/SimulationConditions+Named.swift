import VigilLaboratory

extension SimulationConditions {
  /// A departure from the usual conditions, under which a detector's promises are tried.
  struct Departure: Sendable {
    var name: String
    var conditions: SimulationConditions
  }

  /// The departures of the report.
  static var departures: [Departure] {
    func departure(
      _ name: String, _ change: (inout SimulationConditions) -> Void
    ) -> Departure {
      var conditions = SimulationConditions()
      change(&conditions)
      return Departure(name: name, conditions: conditions)
    }
    return [
      departure("as fitted") { _ in },
      departure("autocorrelation + 0.1") { $0.moreAutocorrelation = 0.1 },
      departure("autocorrelation + 0.2") { $0.moreAutocorrelation = 0.2 },
      departure("autocorrelation + 0.3") { $0.moreAutocorrelation = 0.3 },
      departure("no slow level, no yearly wave") {
        $0.wander = 0
        $0.season = 0
      },
      departure("slow level of 0.3 SD") { $0.wander = 0.3 },
      departure("slow level of 0.4 SD, yearly wave of 0.3 SD") {
        $0.wander = 0.4
        $0.season = 0.3
      },
      departure("30 % of values lost") { $0.lost = 0.3 },
      departure("cycle in everyone") { $0.cycleShare = 1 },
      departure("metrics independent of each other") { $0.metricsAreCorrelated = false },
    ]
  }
}
