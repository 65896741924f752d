extension Medication {
  /// The days of some on which a new package is due, because the one in use expires (specification, adherence.md
  /// section 4).
  ///
  /// ```swift
  /// guard let start = Day("2026-01-01"), let expiry = Day("2026-06-30") else { return }
  /// let drops = Medication(
  ///   id: UUID(name: "drops"), user: UUID(name: "anna"), startDate: start, expiresOn: expiry)
  /// print(drops.expiryDays(in: start...expiry)?.lowerBound.description ?? "")  // 2026-06-23
  /// ```
  ///
  /// - Parameter days: The evaluated days.
  /// - Returns: Nil where there is none: nothing says when it expires, it is not in use, or its treatment ends first.
  public func expiryDays(in days: ClosedRange<Day>) -> ClosedRange<Day>? {
    guard isActive, !isDeleted, let expiresOn else { return nil }
    if let endDate, endDate <= expiresOn { return nil }
    let first = max(days.lowerBound, startDate, expiresOn - Self.expiryReminderDays)
    let last = min(days.upperBound, endDate ?? days.upperBound)
    return first <= last ? first...last : nil
  }

  /// Days before the last on which it may be used on which a new package is due.
  static let expiryReminderDays = 7
}
