# SPDX-License-Identifier: BSD-3-Clause
# Wrong usage and bad input: the exit status, one clear line, and no lab.
. "$HS_TEST_SRCDIR/tests/lab/lab.sh"
NO="--name $LAB"
expect_error 2 "no subcommand given (expected up, down, status" hs lab
expect_error 2 "unknown subcommand 'sideways'" hs lab sideways
expect_error 2 "no platform file given" hs lab up
expect_error 1 "--name takes" hs lab up --name 'a b' "$HERE/two.xml"
expect_error 1 "--name takes" hs lab down --name ../x
expect_error 2 "unknown option" hs lab up --sideways "$HERE/two.xml"
for value in 0 -1 nan inf x ''; do
    expect_error 1 "--cpus: expected a number above 0, not '$value'" hs lab up $NO --cpus "$value" "$HERE/two.xml"
    expect_error 1 "--rate-scale: expected a number above 0" hs lab up $NO --rate-scale "$value" "$HERE/two.xml"
    expect_error 1 "FACTOR: expected a number above 0" hs lab speed $NO a1 "$value"
    expect_error 1 "FACTOR: expected a number above 0" hs lab link $NO trunk "$value"
done
expect_error 1 "--cpus: expected at most" hs lab up $NO --cpus 100000 "$HERE/two.xml"
expect_error 1 "no lab '$LAB' is up" hs lab down $NO
expect_error 1 "no lab '$LAB' is up" hs lab status $NO
expect_error 1 "no lab '$LAB' is up" hs lab status $NO --json
expect_error 1 "no lab '$LAB' is up" hs lab run $NO -- true
expect_error 1 "no lab '$LAB' is up" hs lab exec $NO a1 -- true
expect_error 1 "no lab '$LAB' is up" hs lab speed $NO a1 1
expect_error 2 "no program given (expected after --)" hs lab run $NO
expect_error 1 "-n takes an integer" hs lab run $NO -n 0 -- true
expect_error 1 "-n takes an integer of at most 1048576, not '1048577'" hs lab run $NO -n 1048577 -- true
expect_error 2 "no host given" hs lab exec $NO -- true
expect_error 2 "no program given (expected after --)" hs lab exec $NO a1
expect_error 2 "expected HOST and FACTOR" hs lab speed $NO a1
expect_error 2 "expected LINK and FACTOR" hs lab link $NO trunk
expect_error 1 "no lab '$LAB' is up" hs lab link $NO trunk 1
hs lab --help | grep -q 'hs lab speed' || fail "--help"

# What launchers start: a rank, and an agent, which is hs under the name of the lab's agent.
expect_error 2 "hs lab rank: launchers start this" hs lab rank "$LAB"
expect_error 1 "no lab '$LAB' is up" hs lab rank "$LAB" true
mkdir -p "$LAB.d/$LAB" "$LAB.d/no lab"
for folder in "$LAB" "no lab"; do
    ln -s "$HS_TEST_BUILDDIR/hs" "$LAB.d/$folder/agent"
done
expect_error 2 "hs lab agent: launchers start this" "$PWD/$LAB.d/$LAB/agent" -x host
expect_error 1 "no lab '$LAB' is up" "$PWD/$LAB.d/$LAB/agent" -x host true
expect_error 2 "hs: unknown verb 'host'" "$PWD/$LAB.d/no lab/agent" host true # it is an hs like any other
rm -r "$LAB.d"

need_root
echo '<platform version="4.1"><zone' >"$LAB.xml"
expect_error 1 "$LAB.xml:" hs lab up $NO "$LAB.xml"
rm -f "$LAB.xml"
expect_error 1 "no/such.xml" hs lab up $NO no/such.xml
odd=$(printf '%s\377.xml' "$LAB")
cp "$HERE/two.xml" "$odd"
expect_error 1 "UTF-8: the path of the file is not" hs lab up $NO "$odd"
rm -f "$odd"
expect_error 1 "link 'la1_UP' would carry 1.25e+307 Bps: expected 1 to 8e+13 Bps" hs lab up $NO --rate-scale 1e300 "$HERE/two.xml"
expect_nothing "$LAB" "a refused up"
if command -v setpriv >/dev/null; then # as in most containers
    expect_error 1 "--no-network emulates only speeds" setpriv --bounding-set -net_admin,-sys_admin hs lab up $NO "$HERE/two.xml"
fi
hs lab up $NO "$HERE/two.xml" >/dev/null || fail "up"
expect_error 1 "no host 'zz'" hs lab speed $NO zz 1
expect_error 1 "FACTOR 1e+300 gives host 'a1' " hs lab speed $NO a1 1e300
expect_error 1 " cores: expected at most 1e+06" hs lab speed $NO a1 1e300
expect_error 1 "no link 'zz'" hs lab link $NO zz 1
expect_error 1 "no link 'la'" hs lab link $NO la 1
expect_error 1 "FACTOR 1e+300 gives link 'la1_UP' 1.25e+307 Bps: expected 1 to 8e+13 Bps" hs lab link $NO la1 1e300
expect_error 1 "FACTOR 1e-09 gives link 'la1_UP' 0.0125 Bps: expected 1 to 8e+13 Bps" hs lab link $NO la1 1e-9
expect_error 1 "no host 'zz'" hs lab exec $NO zz -- true
expect_error 1 "no host 'zz'" hs lab run $NO --hosts a1,zz -- true
expect_error 1 "no host ''" hs lab run $NO --hosts '' -- true
expect_error 1 "no host ''" hs lab run $NO --hosts a1, -- true
expect_error 1 "names 'a1' twice" hs lab run $NO --hosts a1,a1 -- true
expect_error 1 "does not name Open MPI's mpirun, MPICH's mpiexec or Slurm's srun" env MPIEXEC=/bin/true hs lab run $NO -- true
hs lab down $NO || fail "down"

# A platform file that is another by now.
cp "$HERE/two.xml" "$LAB.xml"
hs lab up $NO "$LAB.xml" >/dev/null || fail "up"
sed 's/id="trunk" bandwidth="40Mbps"/id="trunk" bandwidth="x"/' "$HERE/two.xml" >"$LAB.xml"
expect_error 1 "$LAB.xml:16: " hs lab link $NO trunk 0.5
rm -f "$LAB.xml"
hs lab down $NO || fail "down"
exit $failed
