/// The style of every drawing: light, dark and print, by custom properties.
public enum ChartStyle {
  /// The custom properties of the colours; a page may use them too.
  public static let colours = String(decoding: PackageResources.colours_css, as: UTF8.self)

  /// The rules of the drawings; they need `colours`.
  public static let rules = String(decoding: PackageResources.rules_css, as: UTF8.self)

  /// Colours and rules.
  public static let css = colours + rules
}
