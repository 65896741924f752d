extension Day {
  /// The first day of its month.
  public var firstOfMonth: Day { self - (components.day - 1) }

  /// The first day of the month after its own.
  public var firstOfNextMonth: Day { (firstOfMonth + 31).firstOfMonth }
}
