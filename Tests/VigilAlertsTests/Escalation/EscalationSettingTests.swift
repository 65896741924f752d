import Foundation
import Testing
import VigilAlerts
import VigilModel

@Suite struct EscalationSettingTests {
  private func setting(
    _ level: AlertLevel, _ choice: EscalationChoice, hasCaregiver: Bool = false,
    hasContact: Bool = false
  ) -> EscalationSetting {
    EscalationSetting(
      person: UUID(name: "anna"), level: level, choice: choice, hasCaregiver: hasCaregiver,
      hasContact: hasContact)
  }

  @Test func whereSendersMakeNoCallsNoChoiceHasAnEffect() {
    for choice in [EscalationChoice.off, .after(minutes: 30)] {
      #expect(setting(.day14, choice, hasCaregiver: true).idleness(under: .none) == .noCalls)
    }
  }

  @Test func aWindowNeedsSomeoneWhoCanBeCalled() {
    let policy = EscalationSetting.SenderCalls.made(EscalationPolicy())
    #expect(setting(.day3, .after(minutes: 30), hasCaregiver: true).idleness(under: policy) == nil)
    #expect(setting(.day3, .after(minutes: 30)).idleness(under: policy) == .noOne)
    #expect(setting(.day3, .off).idleness(under: policy) == nil)
    #expect(setting(.day3, .after(minutes: 30)).idleness(under: .unknown) == .noOne)
  }

  @Test func contactsAreCalledFromLevelFourteenOnWhereTheSendersSaySo() {
    let withContacts = EscalationSetting.SenderCalls.made(EscalationPolicy(callsContacts: true))
    let window = EscalationChoice.after(minutes: 30)
    #expect(setting(.day14, window, hasContact: true).idleness(under: withContacts) == nil)
    #expect(setting(.day14, window, hasContact: true).idleness(under: .unknown) == nil)
    #expect(setting(.day7, window, hasContact: true).idleness(under: withContacts) == .noOne)
    #expect(
      setting(.day14, window, hasContact: true).idleness(under: .made(EscalationPolicy()))
        == .noOne)
  }
}
