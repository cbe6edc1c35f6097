# SPDX-License-Identifier: BSD-3-Clause
"""Spack's recipe: spack repo add packaging/spack && spack install h3ou. It builds the clone in which it stands."""
import pathlib

from spack.package import *


class H3ou(CMakePackage):
    """Couples programs that were started separately: each its own MPI job, they exchange fields on their own grids."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("python", default=False, description="Install the Python package too")

    depends_on("c", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("netcdf-c")
    depends_on("libsodium")
    depends_on("xxhash", type="build")
    depends_on("jansson")
    extends("python", when="+python")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type="run")

    def cmake_args(self):
        mpi = self.spec["mpi"]
        args = [
            self.define("H3OU_TESTS", "OFF"),
            self.define("H3OU_SAMPLES", "OFF"),
            self.define("H3OU_MPI_NAMES", ""),  # this MPI alone, none of the system's
            self.define("H3OU_MPICC_default", mpi.mpicc),
            self.define("H3OU_MPIFORT_default", mpi.mpifc),
        ]
        if self.spec.satisfies("+python"):
            version = self.spec["python"].version.up_to(2)
            args.append(self.define("H3OU_PYTHONDIR", f"lib/python{version}/site-packages"))
        return args
