import Testing
import VigilModel
import VigilStorage

@testable import VigilDispatch

@Suite("Channels that rest")
struct ChannelCircuitTests {
  private static let noon = Timestamp(microseconds: 1_782_907_200_000_000)
  private static let code = DeliveryErrorCode("http_404")
  private static let refusal = DeliveryAnswer(.refused(code))

  private func circuit() -> ChannelCircuit { ChannelCircuit(ChannelSettings(channel: .push)) }

  @Test(
    "a channel rests after five failures in a row, and each rest is longer, up to a quarter of an hour"
  )
  func rests() throws {
    var circuit = circuit()
    for _ in 1...4 {
      #expect(circuit.take(Self.refusal, chance: 1, at: Self.noon) == false)
      #expect(circuit.rest == nil && circuit.beginRecording() == nil)
    }
    #expect(circuit.take(Self.refusal, chance: 1, at: Self.noon) == true)
    var now = Self.noon
    for (number, seconds) in [60, 240, 900, 900].enumerated() as EnumeratedSequence<[Int64]> {
      let rest = try #require(circuit.rest)
      #expect(
        rest
          == ChannelRest(
            channel: .push, rests: number + 1, failures: number + 5, error: Self.code,
            until: now.adding(seconds: seconds)))
      #expect(circuit.beginRecording()?.rest == rest && circuit.beginRecording() == nil)
      #expect(circuit.isResting(at: now) && !circuit.isResting(at: rest.until))
      #expect(circuit.attemptsAtOnce(of: 8) == 1)
      now = rest.until
      #expect(circuit.take(Self.refusal, chance: 1, at: now) == true)
    }
    #expect(circuit.take(DeliveryAnswer(.delivered), chance: 1, at: now) == false)
    #expect(circuit.rest == nil && circuit.attemptsAtOnce(of: 8) == 8)
    let begun = circuit.beginRecording()
    let change = try #require(begun)
    #expect(change.rest == nil)
  }

  @Test("a success in between, and a device that is gone, are no failures in a row")
  func works() {
    var circuit = circuit()
    var gone = Self.refusal
    gone.devices = [DeviceReport("fcm", "token", .gone)]
    for answer in [DeliveryAnswer(.delivered), gone] {
      for _ in 1...4 { _ = circuit.take(Self.refusal, chance: 1, at: Self.noon) }
      #expect(circuit.attemptsAtOnce(of: 8) == 1)
      _ = circuit.take(answer, chance: 1, at: Self.noon)
    }
    #expect(circuit.rest == nil && circuit.failures == 0)
  }

  @Test("few attempts are made at once until one has succeeded")
  func begins() {
    var circuit = circuit()
    #expect(circuit.attemptsAtOnce(of: 64) == 5 && circuit.attemptsAtOnce(of: 2) == 2)
    _ = circuit.take(DeliveryAnswer(.delivered), chance: 1, at: Self.noon)
    #expect(circuit.attemptsAtOnce(of: 64) == 64)
  }

  @Test(
    "attempts that were under way do not prolong a rest, and a rest that failed to be recorded is recorded later"
  )
  func underWay() throws {
    var circuit = circuit()
    for _ in 1...8 { _ = circuit.take(Self.refusal, chance: 1, at: Self.noon) }
    #expect(circuit.rest?.rests == 1)
    let begun = circuit.beginRecording()
    let change = try #require(begun)
    circuit.notRecorded(change)
    // Meanwhile the database knows of no rest.
    circuit.take(nil)
    #expect(circuit.rest?.rests == 1 && circuit.beginRecording() != nil)
    // Another sender has seen that the channel works.
    circuit.take(nil)
    #expect(circuit.rest == nil && circuit.failures == 0)
  }

  @Test("a rest that a wrong clock has recorded does not last")
  func wrongClock() {
    let rest = ChannelRest(
      channel: .push, rests: 1, failures: 5, error: Self.code,
      until: Self.noon.adding(seconds: 25 * 3600))
    #expect(rest.isOver(at: Self.noon) && !rest.isOver(at: Self.noon.adding(seconds: 3600)))
  }
}
