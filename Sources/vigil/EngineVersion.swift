/// The version that `vigil --version` prints and every run records.
let engineVersion = "0.1.0"
