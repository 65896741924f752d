import Foundation
import VigilModel

/// The payload of a notification about a prompt, or of a call about one: a reference.
struct PromptPayload: Encodable {
  private var detail = PayloadDetail.reference
  private var kind: String
  private var prompt: String
  private var template: String

  init(_ kind: Prompt.Kind, id: UUID, template: String) {
    self.kind = kind.rawValue
    prompt = id.lowercased
    self.template = template
  }

  private enum CodingKeys: String, CodingKey {
    case detail
    case kind
    case prompt = "prompt_id"
    case template = "template_id"
  }

  var text: String { canonicalText(of: self) }
}
