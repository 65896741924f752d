import VigilModel

/// The days on which what brings the rows of all persons in was broken (specification, silence.md section 6 and
/// evidence-doses.md section 8).
struct BrokenDays {
  var observations: Set<Day> = []
  var doses: Set<Day> = []
}
