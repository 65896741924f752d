import Foundation
import VigilModel

/// Slow twin of the assignment of loose records to open doses (specification, adherence.md section 2): each sentence
/// by itself, over all records and doses.
public struct ReferenceMatching {
  /// An expected dose; instants in seconds.
  public struct Dose {
    var second: Int
    var day: Int
    var isOpen: Bool

    public init(second: Int, day: Int, isOpen: Bool) {
      self.second = second
      self.day = day
      self.isOpen = isOpen
    }
  }

  /// A loose record; the time in seconds.
  public struct Record {
    var second: Int
    var saysMissed: Bool

    public init(second: Int, saysMissed: Bool) {
      self.second = second
      self.saysMissed = saysMissed
    }
  }

  private let doses: [Dose]
  private let records: [Record]

  /// - Parameters:
  ///   - doses: In order of time; of one time, in order of schedules.
  ///   - records: In order of time; of one time, in the order of logging.
  public init(doses: [Dose], records: [Record]) {
    self.doses = doses
    self.records = records
  }

  // MARK: Reach

  private func way(before dose: Int) -> Int? {
    doses.map(\.second).filter { $0 < doses[dose].second }.max().map { doses[dose].second - $0 }
  }

  private func way(after dose: Int) -> Int? {
    doses.map(\.second).filter { $0 > doses[dose].second }.min().map { $0 - doses[dose].second }
  }

  private func reaches(_ dose: Int, _ record: Int) -> Bool {
    let (hour, day) = (3600, 86_400)
    let (due, time) = (doses[dose].second, records[record].second)
    if time >= due {
      let isLast = !doses.contains { $0.second > due && $0.second <= time }
      let way = way(after: dose) ?? way(before: dose) ?? day
      return isLast && 4 * (time - due) <= 3 * way && time - due <= 7 * day
    }
    let isFirst = !doses.contains { $0.second < due && $0.second > time }
    let way = way(before: dose) ?? way(after: dose) ?? day
    let early = due - time
    let isWithin =
      2 * early <= way || (way >= 18 * hour && 4 * early <= 3 * way && early <= 18 * hour)
    return isFirst && isWithin && early <= 7 * day
  }

  // MARK: Chains

  private func week(_ dose: Int) -> Int {
    Int((Double(doses[dose].day + 3) / 7).rounded(.down))
  }

  private func cost(_ dose: Int, _ record: Int) -> Int {
    let late = records[record].second - doses[dose].second
    return late >= 0 ? late : -2 * late
  }

  /// The open doses that are decided together, each with the records that it may have.
  private func pieces() -> [[(dose: Int, records: Set<Int>)]] {
    let open = doses.indices.filter { doses[$0].isOpen }
    let reach = open.map { dose in Set(records.indices.filter { reaches(dose, $0) }) }
    var chains: [[Int]] = []
    for place in open.indices {
      if place > 0, !reach[place].isDisjoint(with: reach[place - 1]) {
        chains[chains.count - 1].append(place)
      } else {
        chains.append([place])
      }
    }
    var pieces: [[(dose: Int, records: Set<Int>)]] = []
    for chain in chains {
      let days = chain.map { doses[open[$0]].day }
      var own = Dictionary(uniqueKeysWithValues: chain.map { ($0, reach[$0]) })
      var parts: [[Int]] = [[]]
      let isCut = (days.max() ?? 0) - (days.min() ?? 0) > 7
      for place in chain {
        if isCut, place > chain[0], week(open[place]) != week(open[place - 1]) {
          for record in reach[place].intersection(reach[place - 1]) {
            let isEarlier = cost(open[place - 1], record) <= cost(open[place], record)
            for other in chain where isEarlier ? other >= place : other < place {
              own[other]?.remove(record)
            }
          }
          parts.append([])
        }
        parts[parts.count - 1].append(place)
      }
      pieces += parts.map { part in part.map { (open[$0], own[$0] ?? []) } }
    }
    return pieces
  }

  // MARK: Assignment

  /// A way to assign some records, the last ones of a piece: what it is worth, and the places of their doses.
  private struct Choice {
    var notMissed = 0
    var assigned = 0
    var cost = 0
    /// By record; `Int.max` for none.
    var places: [Int] = []

    func isBetter(than other: Choice) -> Bool {
      let (left, right) = (
        [notMissed, assigned, -cost] + places.map { -$0 },
        [other.notMissed, other.assigned, -other.cost] + other.places.map { -$0 }
      )
      return right.lexicographicallyPrecedes(left)
    }
  }

  private struct State: Hashable {
    var record: Int
    var lastDose: Int
    var lastRecord: Int
  }

  private func best(
    _ piece: [(dose: Int, records: Set<Int>)], _ candidates: [Int], from state: State,
    _ known: inout [State: Choice]
  ) -> Choice {
    if let choice = known[state] { return choice }
    guard state.record < candidates.count else { return Choice() }
    let record = candidates[state.record]
    var next = state
    next.record += 1
    var most = best(piece, candidates, from: next, &known)
    most.places.insert(Int.max, at: 0)
    for place in piece.indices
    where place > state.lastDose && piece[place].records.contains(record) {
      if state.lastDose >= 0, place == state.lastDose + 1 {
        let (dose, before) = (doses[piece[place].dose], doses[piece[place - 1].dose])
        let apart = records[record].second - records[candidates[state.lastRecord]].second
        if 4 * apart < dose.second - before.second { continue }
      }
      var choice = best(
        piece, candidates,
        from: State(record: next.record, lastDose: place, lastRecord: state.record), &known)
      choice.notMissed += records[record].saysMissed ? 0 : 1
      choice.assigned += 1
      choice.cost += cost(piece[place].dose, record)
      choice.places.insert(place, at: 0)
      if choice.isBetter(than: most) { most = choice }
    }
    known[state] = most
    return most
  }

  /// By record, its dose.
  public func assignments() -> [Int: Int] {
    var found: [Int: Int] = [:]
    for piece in pieces() {
      let candidates = piece.reduce(into: Set<Int>()) { $0.formUnion($1.records) }.sorted()
      var known: [State: Choice] = [:]
      let choice = best(
        piece, candidates, from: State(record: 0, lastDose: -1, lastRecord: -1), &known)
      for (record, place) in zip(candidates, choice.places) where place < Int.max {
        found[record] = piece[place].dose
      }
    }
    return found
  }
}
