#if VIGIL_CHECK_INVARIANTS
  extension ObservationBlock {
    /// Stops the process where the block holds a value that is no observation, or a wrong mark of a workout.
    ///
    /// - Complexity: O(values).
    package func _checkInvariants() {
      precondition(
        values.count == personCount * metricCount * dayCount,
        "a block of another size than its axes")
      precondition(
        values.allSatisfy { $0.isNaN || $0.isFinite }, "an observation that is infinite")
      for person in 0..<personCount { _checkWorkouts(ofPerson: person) }
    }

    /// Stops the process where the marks of a person's workouts contradict each other.
    func _checkWorkouts(ofPerson person: Int) {
      guard let days = workouts(person: person) else { return }
      precondition(days.count == dayCount, "workouts of another number of days than the block")
      precondition(days.allSatisfy { $0 <= 1 }, "a mark of a workout is 0 or 1")
      precondition(days.contains(1), "a person with workouts has none")
    }
  }
#else
  extension ObservationBlock {
    @inline(__always)
    package func _checkInvariants() {}

    @inline(__always)
    func _checkWorkouts(ofPerson person: Int) {}
  }
#endif
