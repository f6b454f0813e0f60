# SPDX-License-Identifier: BSD-3-Clause
"""Spack recipe. In a repository of your own, as packages/heteroslice/package.py; the tarball that `make dist` makes is looked for
in the folder that HETEROSLICE_TARBALLS names, or in the present one."""
import os

from spack.package import *


class Heteroslice(AutotoolsPackage):
    """MPI programs at the speed of the whole cluster instead of the speed of its slowest host."""

    url = "file://" + os.path.join(os.path.abspath(os.environ.get("HETEROSLICE_TARBALLS", ".")), "heteroslice-0.1.0.tar.gz")
    license("BSD-3-Clause")
    version("0.1.0")

    variant("mpi", default=True, description="the runtime; without it only the planners")
    variant("papi", default=False, description="hardware counters in the probe")
    variant("trace", default=False, description="timelines of runs (HS_TRACE)")
    variant("sundials", default=False, description="hs ring --share kinsol")

    depends_on("pkgconfig", type="build")
    depends_on("expat")
    depends_on("jansson")
    depends_on("mpi", when="+mpi")
    depends_on("hwloc@2:")
    depends_on("openblas")
    depends_on("papi", when="+papi")
    depends_on("protobuf-c", when="+trace")
    depends_on("sundials+kinsol~mpi", when="+sundials")

    def configure_args(self):
        spec = self.spec
        args = ["--with-mpi=" + (spec["mpi"].mpicc if "+mpi" in spec else "no"), "--with-cmocka=no", "--with-simgrid=no", "--with-uplot=no"]
        args += self.with_or_without("papi")
        args.append("--with-protobuf" if "+trace" in spec else "--without-protobuf")
        args.append("--with-kinsol" if "+sundials" in spec else "--without-kinsol")
        return args

    def setup_run_environment(self, env):
        env.set("HETEROSLICE_PRELOAD", os.path.join(self.prefix.lib, "heteroslice", "libheteroslice-preload.so"))
