"""Tags the wheel with the platform of the library in it."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    def initialize(self, version, build_data):
        library = os.path.join(self.root, "src", "vigil", "libvigil.so.0")
        if version == "standard" and not os.path.exists(library):
            raise FileNotFoundError(f"{library} is missing; scripts/make-wheel puts it there")
        build_data["pure_python"] = False
        # glibc 2.34 and later; any Python 3, as the library is loaded by ctypes.
        build_data["tag"] = "py3-none-manylinux_2_34_x86_64"
