import Foundation
import VigilCharts
import VigilModel
import VigilStorage

/// The values that the templates of the page name.
struct PageDocument {
  var language: String
  /// Texts without values.
  var words: [String: String]
  var style: String
  var title: String
  var scope: String
  var facts: String
  var summary: String
  /// The sizes of the groups; empty on a page for others.
  var groups: String
  var since: String
  var isShared: Bool
  var changed: [Entry]
  var hasChanged: Bool
  var back: [Entry]
  var hasBack: Bool
  var morePeople: String?
  var legend: [LegendEntry]
  var people: [PersonSection]
  var hasPeople: Bool
  var totals: [Total]
  var hasTotals: Bool
  /// The way in which the counts are made.
  var totalsNote: String
  /// Persons without data.
  var silences: [Silence]
  var hasSilences: Bool
  var moreSilent: String?
  var leftNote: String?
  var run: [Pair]
  var changes: [Change]
  var hasChanges: Bool
  var comparison: Comparison?

  /// A person in the list at the top.
  struct Entry {
    var anchor: String
    var name: String
    var text: String
    var badge: String
    var severity: String
    var arrow: String
    var sparkline: String
  }

  struct Silence {
    var name: String
    var lastData: String
    var days: String
    var longestPause: String
    var changed: String
  }

  struct LegendEntry {
    var symbol: String
    var words: String
  }

  struct PersonSection {
    var anchor: String
    var name: String
    var text: String
    var badge: String
    var severity: String
    var lines: [Figure]
    var earlier: [String]
    var hasEarlier: Bool
    var calendar: String?
    var calendarLegend: [LegendEntry]
    var lanes: String?
    var laneNote: String
    var laneLegend: [LegendEntry]
    var medications: [Medication]
    var hasMedications: Bool
    var levels: String
    var strips: [Figure]
    var axis: String?
    var axisNote: String
    var timeline: String?
    var score: String?
  }

  /// A drawing with its words, before it has a place on the page.
  struct Strip {
    var heading: String
    var note: String
    /// Further figures, which stand below the drawing.
    var figures: String
    var drawing: Drawing
  }

  struct Figure {
    var heading: String
    var note: String
    var figures: String
    var svg: String

    init(_ strip: Strip, id: String) {
      heading = strip.heading
      note = strip.note
      figures = strip.figures
      svg = strip.drawing.inline(id: id)
    }
  }

  /// The findings of two profiles on the same days.
  struct Comparison {
    var scope: [String]
    var summary: String
    var tables: [Table]
  }

  struct Table {
    var titles: [String]
    var rows: [Row]

    struct Row {
      var name: String
      var cells: [String]
    }
  }

  struct Medication {
    var name: String
    var taken: String
    var expected: String
    var rate: String
  }

  /// Active alerts of a metric by level.
  struct Total {
    var metric: String
    var counts: [String]
  }

  struct Pair {
    var name: String
    var value: String
  }

  struct Change {
    var name: String
    var now: String
    var before: String
  }
}
