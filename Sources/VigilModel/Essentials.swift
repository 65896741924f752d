// The core needs UUID of Foundation and nothing else: this is the one place that names it, so that the core
// can be linked without the rest. The modules above get UUID with VigilModel.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
