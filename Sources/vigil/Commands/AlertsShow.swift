import ArgumentParser
import VigilModel
import VigilReport
import VigilStorage

struct AlertsShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows an alert, the actions of members and its notifications.",
    discussion: """
      Example:
        vigil alerts show 0f3a2b1c
      """)

  @OptionGroup var id: AlertIDArgument

  @OptionGroup(title: "Common options")
  var common: CommonOptions

  func run() throws {
    let context = try common.context()
    let storage = try context.openCurrentDatabase(.existingReadOnly)
    let alert = try id.alert(in: storage)
    let actions = try storage.actions(on: alert.id)
    let notifications = try storage.notifications(
      matching: NotificationFilter(queue: .live, alert: alert.id))
    let shadowNotifications = try storage.notifications(
      matching: NotificationFilter(queue: .shadow, alert: alert.id))
    let persons =
      [alert.series.user, alert.acknowledgedBy].compactMap(\.self) + actions.map(\.actor)
      + (notifications + shadowNotifications).map(\.recipient)
    var report = AlertReport(
      alert: alert, actions: actions, notifications: notifications,
      shadowNotifications: shadowNotifications,
      externalIDs: try storage.externalIDs(of: Set(persons)))
    report.course = context.courses(of: [alert], in: storage)[alert.id]
    try context.write(report)
  }
}
