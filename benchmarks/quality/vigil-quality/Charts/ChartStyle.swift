/// The colours of charts; those of Okabe and Ito, which people with impaired colour vision can distinguish, and
/// lighter ones on a dark page.
enum ChartStyle {
  static let colourCount = 7

  private static let light = [
    "#0072b2", "#d55e00", "#009e73", "#7a4f9e", "#666666", "#b8860b", "#cc3377",
  ]
  private static let dark = [
    "#56b4e9", "#ff9a57", "#4fd1a5", "#c79be8", "#aaaaaa", "#f0e442", "#ff8fb8",
  ]

  static var text: String {
    """
    <style>
    .page { fill: #ffffff } .text { fill: #222222 } .grid { stroke: #bbbbbb; stroke-width: 0.6 }
    .line { fill: none; stroke-width: 1.8 } .bar { stroke-width: 1 }
    \(rules(light))
    @media (prefers-color-scheme: dark) {
    .page { fill: #16181d } .text { fill: #dddddd } .grid { stroke: #555555 }
    \(rules(dark))
    }
    </style>
    """
  }

  private static func rules(_ colours: [String]) -> String {
    colours.enumerated().map { index, colour in
      ".line.c\(index), .bar.c\(index) { stroke: \(colour) } .mark.c\(index) { fill: \(colour) }"
    }.joined(separator: "\n")
  }
}
