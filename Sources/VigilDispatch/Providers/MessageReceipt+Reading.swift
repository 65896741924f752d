import Foundation
import VigilModel
import VigilStorage

extension MessageReceipt {
  /// Reads the JSON that a provider of text messages has answered; nil where it says nothing that the log keeps.
  ///
  /// ```json
  /// {"id": "SM30ad", "segments": 2, "cost": 0.158, "currency": "EUR"}
  /// ```
  ///
  /// A value of another form is left out: the answer comes from elsewhere, and the message is sent all the same.
  ///
  /// - Parameters:
  ///   - answer: The body of the answer.
  ///   - number: The telephone number, which no id may hold; nil where the provider was given none.
  init?(answer: Data, number: String?) {
    struct Answer: Decodable {
      var id: String?
      var segments: Int?
      var cost: Double?
      var currency: String?

      private enum CodingKeys: CodingKey { case id, segments, cost, currency }

      init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        id =
          (try? keys.decode(String.self, forKey: .id))
          ?? (try? keys.decode(Int.self, forKey: .id)).map(String.init)
        segments = try? keys.decode(Int.self, forKey: .segments)
        cost = try? keys.decode(Double.self, forKey: .cost)
        currency = try? keys.decode(String.self, forKey: .currency)
      }
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: answer) else { return nil }
    self.init(
      id: answer.id.flatMap { Self.isID($0, without: number) ? $0 : nil },
      segments: answer.segments.flatMap { Self.segmentCounts.contains($0) ? $0 : nil })
    if let cost = answer.cost, let currency = answer.currency {
      self.cost = MessageCost(
        micros: Int(exactly: (cost * 1_000_000).rounded()) ?? -1, currency: currency)
    }
    if self == MessageReceipt() { return nil }
  }

  static let segmentCounts = 1...1000

  /// Whether a text is one that the log may have: a provider must put no words into it, and no number.
  private static func isID(_ text: String, without number: String?) -> Bool {
    let digits = number?.filter(\.isWholeNumber) ?? ""
    return text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._:-]{0,127}/) != nil
      && (digits.isEmpty || !text.filter(\.isWholeNumber).contains(digits))
  }
}

extension DeliveryAnswer {
  /// This answer with the particulars of a text message that its body has.
  func adding(_ body: Data, of delivery: Delivery) -> DeliveryAnswer {
    guard result == .delivered, delivery.row.channel == .sms else { return self }
    var answer = self
    answer.receipt = MessageReceipt(answer: body, number: delivery.addresses.first?.address)
    return answer
  }
}
