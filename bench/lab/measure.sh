# SPDX-License-Identifier: BSD-3-Clause
# Sourced by benchmarks of the emulated cluster, which are run as root in the build directory after `make bench`. They print
# what the platform file says and what is measured; other load on the machine bends that.
HS_TEST_SRCDIR=$(cd "$(dirname "$0")/../.." && pwd) HS_TEST_BUILDDIR=$PWD LAUNCH=$PWD/tests/launch/start PATH=$PWD:$PATH
export HS_TEST_SRCDIR HS_TEST_BUILDDIR LAUNCH PATH
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
need_root
