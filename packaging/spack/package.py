# SPDX-License-Identifier: BSD-3-Clause
"""Recipe for Spack 0.21 and later, in a repository of your own and with the tarball that `make dist` makes, where FOLDER is its absolute
path, or by default the present folder; the tarball holds this file, which therefore cannot have its checksum:

    spack repo create mine && spack repo add ...                # the folder that the first command names
    mkdir .../packages/heteroslice && cp package.py .../packages/heteroslice
    HETEROSLICE_TARBALLS=FOLDER spack install --no-checksum heteroslice"""
import os

from spack.package import *

try:
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

    LANGUAGES = {"c": None, "fortran": "+mpi"}
except ImportError:  # before Spack 1.0: spack.package has it, and every package has all compilers
    LANGUAGES = {}

TARBALLS = os.path.abspath(os.environ.get("HETEROSLICE_TARBALLS", "."))


class Heteroslice(AutotoolsPackage):
    """MPI programs at the speed of the whole cluster instead of the speed of its slowest host."""

    url = "file://" + os.path.join(TARBALLS, "heteroslice-0.1.0.tar.gz")
    manual_download = True
    license("BSD-3-Clause")
    version("0.1.0")

    variant("mpi", default=True, description="the runtime; without it only the planners")
    variant("papi", default=False, when="+mpi", description="hardware counters in the probe")
    variant("pmix", default=False, when="+mpi", description="ranks on several hosts learn which have the library preloaded")
    variant("trace", default=False, when="+mpi", description="timelines of runs (HS_TRACE)")
    variant("sundials", default=False, description="hs ring --share kinsol")

    for language, condition in LANGUAGES.items():
        depends_on(language, type="build", when=condition)
    depends_on("pkgconfig", type="build")
    depends_on("expat")
    depends_on("jansson")
    with when("+mpi"):
        depends_on("mpi")
        depends_on("hwloc@2:")
        depends_on("openblas")
    depends_on("papi", when="+papi")
    depends_on("pmix", when="+pmix")
    depends_on("protobuf-c", when="+trace")
    depends_on("sundials@6+KINSOL~mpi", when="+sundials")

    @property
    def download_instr(self):
        return "'make dist' makes the tarball; HETEROSLICE_TARBALLS names its folder (now {0})".format(TARBALLS)

    def configure_args(self):
        args = ["--with-cmocka=no", "--with-simgrid=no", "--with-scalapack=no", "--with-uplot=no"]
        args.append("--with-mpi=" + (self.spec["mpi"].mpicc if self.spec.satisfies("+mpi") else "no"))
        for option, condition in {"hwloc": "+mpi", "openblas": "+mpi", "papi": "+papi", "pmix": "+pmix", "protobuf": "+trace", "kinsol": "+sundials"}.items():
            args.append("--with-{0}={1}".format(option, "yes" if self.spec.satisfies(condition) else "no"))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+mpi"):
            env.set("HETEROSLICE_PRELOAD", os.path.join(self.prefix.lib, "heteroslice", "libheteroslice-preload.so"))
            env.prepend_path("PYTHONPATH", os.path.join(self.prefix.share, "heteroslice", "python"))
