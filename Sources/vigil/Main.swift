import Foundation

@main
enum Main {
  static func main() async {
    // A reader that has gone away is an error of write(2), not the end of a nightly run.
    signal(SIGPIPE, SIG_IGN)
    let status = await Vigil.carryOut(
      Array(CommandLine.arguments.dropFirst()), in: .ofProcess)
    // Handlers of libraries may wait for threads that a command has left behind.
    fflush(nil)
    _exit(status.rawValue)
  }
}
