import VigilModel

extension ZoneFault {
  /// The remedy for the operator.
  var remedy: String {
    switch self {
    case .noFiles:
      "install them with apt-get install tzdata, or set TZDIR to the folder that holds them"
    case .unreadable:
      "let the user that runs vigil read the file, or set TZDIR to another folder of zone files"
    case .damaged:
      "install the files again with apt-get install --reinstall tzdata, or set TZDIR to another"
        + " folder of zone files"
    }
  }
}
