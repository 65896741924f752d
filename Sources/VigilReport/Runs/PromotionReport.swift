public import VigilModel
public import VigilStorage

/// The output of `vigil promote`: what the promotion of a candidate changes, or has changed.
public struct PromotionReport: Sendable {
  let promotion: ProfilePromotion?
  let profile: Profile
  let argument: String
  let isDone: Bool
  let database: String

  /// - Parameters:
  ///   - promotion: The promotion; nil where the profile is the database's already.
  ///   - profile: The candidate.
  ///   - argument: The candidate as the command line names it.
  ///   - isDone: Whether it was carried out.
  ///   - database: The name of the database in messages.
  public init(
    _ promotion: ProfilePromotion?, of profile: Profile, argument: String, isDone: Bool,
    database: String
  ) {
    self.promotion = promotion
    self.profile = profile
    self.argument = argument
    self.isDone = isDone
    self.database = database
  }
}

extension PromotionReport: Report {
  public func text(style: TextStyle) -> String {
    let (name, database) = (profile.id.terminalSafe, database.terminalSafe)
    guard let promotion else { return "\(name) is the profile of \(database) already.\n" }
    let from = promotion.from.id.terminalSafe
    let alerts =
      "\(NumberText.count(promotion.alertsCounted, "active alert")) of"
      + " \(profile.version.terminalSafe)"
    let others = NumberText.count(promotion.alertsEnded, "active alert")
    let pairs =
      isDone
      ? [
        ("Counted", "\(alerts), as notified"), ("Ended", "\(others) of other profiles"),
        ("Next", "vigil run goes on with it"),
      ]
      : [
        ("Evaluated", "to \(promotion.evaluatedThrough), as far as \(from)"),
        ("Would count", "\(alerts), as notified"),
        ("Would end", "\(others) of other profiles; no one is notified"),
        ("Next", "vigil promote \(argument.terminalSafe) --yes"),
      ]
    let head =
      isDone
      ? "\(name) is now the profile of \(database), in place of \(from)."
      : "Nothing was changed. \(name) can take the place of \(from) in \(database):"
    return head.wrapped() + "\n" + TextTable(pairs: pairs).render(style)
  }

  public func encode(to encoder: any Encoder) throws {
    let fields: JSONFields = [
      "database": database,
      "profile": profile.id,
      "replaced": promotion?.from.id,
      "evaluated_through": promotion?.evaluatedThrough,
      "alerts_counted": promotion?.alertsCounted,
      "alerts_ended": promotion?.alertsEnded,
      "is_done": isDone,
    ]
    try fields.encode(to: encoder)
  }
}
