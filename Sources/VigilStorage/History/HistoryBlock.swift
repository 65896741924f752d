public import Foundation
public import VigilModel

/// A copy of the rows of one person or medication on some days, which spares nights to read these rows again.
///
/// It has every column that a night may want, so that it serves each profile. It is disposable: a change of these rows makes
/// it void, and a night then makes it anew.
///
/// The blocks of an owner follow each other without a gap; each has 28 days. An owner's night comes once in so many: then
/// another block is complete, all rows are read, and the blocks are compared with them. Nights of others read the blocks, and
/// the rows after them.
public struct HistoryBlock: Hashable, Sendable {
  /// The person or medication.
  public var owner: UUID
  /// The days whose rows it has; of doses, days of UTC.
  public var days: ClosedRange<Day>
  /// The rows, packed.
  public var rows: [UInt8]

  public init(owner: UUID, days: ClosedRange<Day>, rows: [UInt8]) {
    self.owner = owner
    self.days = days
    self.rows = rows
  }

  /// The days before an evaluated day whose rows are read each night: late rows are mostly of these.
  static let lateDays = 3
  /// The days of a block, and the nights from one turn of an owner to the next.
  static let length = 28
  /// An owner of whom so many days are in no block is read whole.
  static let mostDaysSince = 60

  /// The last day that blocks of the night of a day have.
  public static func lastDay(ofNight day: Day) -> Day { day - lateDays }

  /// Whether it is the owner's turn on the night of `day`.
  static func isDue(_ owner: UUID, on day: Day) -> Bool { nightsSinceTurn(of: owner, on: day) == 0 }

  /// The block of an owner that has a day.
  static func days(of owner: UUID, with day: Day) -> ClosedRange<Day> {
    let past = nightsSinceTurn(of: owner, on: day + lateDays)
    let last = day + (past == 0 ? 0 : length - past)
    return (last - (length - 1))...last
  }

  private static func nightsSinceTurn(of owner: UUID, on day: Day) -> Int {
    // The last bytes of an id are random, also where the first are a time.
    let number = Int(owner.uuid.14) << 8 | Int(owner.uuid.15)
    let nights = (number + Int(day.ordinal)) % length
    return nights < 0 ? nights + length : nights
  }
}
