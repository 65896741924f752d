#if VIGIL_LIBRARY
  /// The C library has loops of its own instead of a BLAS.
  public enum BLASLibrary {
    /// Does nothing: these loops start no thread.
    @inlinable
    public static func useOneThread() {}
  }
#else
  import CBLAS

  /// The BLAS that this process is linked with.
  public enum BLASLibrary {
    /// Its name and build, such as `OpenBLAS 0.3.21 DYNAMIC_ARCH Zen`, for `vigil doctor`.
    public static var description: String {
      guard let text = vigil_blas_openblas_config() else { return "reference or other BLAS" }
      return String(cString: text)
    }

    /// Whether the library is OpenBLAS, which is the faster one.
    public static var isOpenBLAS: Bool { vigil_blas_openblas_config() != nil }

    /// Keeps the library from starting threads of its own; Vigil is parallel over persons.
    public static func useOneThread() {
      vigil_blas_use_one_thread()
    }
  }
#endif
