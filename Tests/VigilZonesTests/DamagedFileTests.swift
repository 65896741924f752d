import TestSupport
import Testing
import VigilModel

/// Random damage to real zone files: an error or a usable table, and never a trap.
@Suite struct DamagedFileTests {
  private static let names = [
    "Europe/Berlin", "America/New_York", "Africa/Casablanca", "America/Nuuk", "Asia/Gaza",
    "Asia/Tokyo", "Etc/UTC", "Pacific/Apia",
  ]

  @Test(arguments: names)
  func damageIsAnErrorOrAnotherTable(name: String) throws {
    let file = try #require(try ZoneCatalog.system.source.file(of: name))
    var errors: [TZifError: Int] = [:]
    for seed in 0..<500 {
      var random = SeededGenerator(seed: seed)
      let damaged = damage(file, &random)
      do throws(TZifError) {
        let rules = try ZoneRules(file: damaged)
        expectUsable(rules, &random, "\(name), seed \(seed)")
      } catch {
        errors[error, default: 0] += 1
      }
    }
    // Damage that is never found would mean that it was never done.
    #expect(errors.values.reduce(0, +) > 100)
    #expect(errors.count >= 5, "\(errors)")
  }

  private func damage(_ file: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = file
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      // Half of it where the headers and the footer are.
      let edges = Array(bytes.indices.prefix(44) + bytes.indices.suffix(40))
      let place =
        random.chance(0.5) ? random.pick(edges) : Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[place] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.remove(at: place)
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      }
    }
    return bytes
  }

  private func expectUsable(
    _ rules: ZoneRules, _ random: inout SeededGenerator, _ context: String
  ) {
    let day = ZoneRules.microsecondsPerDay
    // As many expectations as here would take longer than the work itself.
    var isUsable =
      rules.starts.count == rules.offsets.count
      && zip(rules.starts, rules.starts.dropFirst()).allSatisfy(<)
      && rules.offsets.allSatisfy { abs($0) < day }
    for _ in 0..<8 {
      let instant = Int64.random(in: -3_000_000..<3_000_000, using: &random) * 2_000_000_000
      let period = rules.period(at: instant)
      let isInPeriod =
        rules.starts[period] <= instant
        && (period + 1 == rules.starts.count || instant < rules.starts[period + 1])
      let first = rules.firstInstant(showing: instant, from: instant - 2 * day)
      isUsable = isUsable && isInPeriod && rules.local(first) >= instant
    }
    if !isUsable { Issue.record("\(context)") }
  }
}
