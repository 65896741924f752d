#if !VIGIL_LIBRARY
  import CLAPACKE
#endif

/// Ordinary least squares of many right-hand sides with one design, by the QR decomposition of LAPACK's
/// `dgels`.
///
/// Anderson et al., LAPACK Users' Guide, third edition, SIAM 1999, section 2.3.1.
public enum LeastSquares {
  /// Fits every right-hand side at once.
  ///
  /// Of each column, the first `columns` elements become its coefficients. The other `rows - columns`
  /// become its residual in an orthonormal basis of the space that the design leaves over: the sum of
  /// their squares is the residual sum of squares. For the columns of the identity matrix, the former
  /// are therefore the design's pseudo-inverse and the latter that basis, transposed.
  ///
  /// - Parameters:
  ///   - design: `rows x columns`, column-major; `rows > columns`.
  ///   - rightHandSides: `rows x count`, column-major; replaced by the result as described above.
  /// - Returns: Whether the design has full rank; without full rank, the result has no meaning.
  /// - Complexity: O(rows x columns x (columns + count)).
  public static func fit(
    design: consuming [Double], rows: Int, columns: Int, rightHandSides: inout [Double]
  ) -> Bool {
    precondition(columns >= 1 && rows > columns && design.count == rows * columns)
    precondition(rightHandSides.count.isMultiple(of: rows))
    let count = rightHandSides.count / rows
    if count == 0 { return true }
    #if VIGIL_LIBRARY
      return HouseholderFit.fit(
        design: design, rows: rows, columns: columns, rightHandSides: &rightHandSides)
    #else
      let status = LAPACKE_dgels(
        LAPACK_COL_MAJOR, CChar(UInt8(ascii: "N")), Int32(rows), Int32(columns),
        Int32(count), &design, Int32(rows), &rightHandSides, Int32(rows))
      return status == 0
    #endif
  }
}
