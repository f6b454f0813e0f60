# SPDX-License-Identifier: BSD-3-Clause
# hs-scatter: the same bits for every rank count and schedule; files whole or not at all; clear messages for bad input; a
# worker that dies leaves no results file and does not hang the job.
program=./hs-scatter
. "$HS_TEST_SRCDIR/tests/apps/common.sh"

folder=$work/files
mkdir "$folder"

for ranks in 1 2 3 4 7; do
    for schedule in planned equal proportional dynamic; do
        case $ranks-$schedule in *-planned | 1-dynamic | 3-* | 7-dynamic) ;; *) continue ;; esac
        same rays $ranks --items 3000 --results 0.5 --json --schedule $schedule
        case $ranks-$schedule:$out in *'"efficiency":0.'* | *'"efficiency":1.0000,'*) ;; 1-planned:*) fail "more efficient than 1: $out" ;; esac
    done
done

# A catalogue written, read again and answered in a file; the master may stay idle; fewer records than ranks.
run 1 --items 3000 --generate "$folder/rays" || fail "--generate"
same rays 3 --input "$folder/rays" --results 0.5 --json --master idle --output "$folder/times"
[ "$(wc -l <"$folder/times")" = 3001 ] || fail "the results file has not 3001 lines"
out=$(run 4 --input "$folder/rays" --items 2 --json --output "$folder/two")
case $out in *'"verified":true'*'"items":2'*) ;; *) fail "2 records on 4 ranks: $out" ;; esac
case $out in *'unused ranks '*': '[0-3],[0-3]*) ;; *) fail "2 records on 4 ranks, unused ranks are not listed: $out" ;; esac
[ "$(ls "$folder")" = "rays
times
two" ] || fail "left behind: $(ls "$folder")"

bad_file() { # TEXT ARGUMENT...
    text=$1
    shift
    out=$(run 2 "$@")
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] || fail "$*: exit $status"
    case $out in *"hs-scatter: $text"*) ;; *) fail "$*: '$text' is not in '$out'" ;; esac
}
head -c 5000 "$folder/rays" >"$folder/short"
echo text >"$folder/text"
bad_file "$folder/none: No such file" --input "$folder/none"
bad_file "$folder/short: 3000 records were promised, the file ends before" --input "$folder/short"
bad_file "$folder/text: not a catalogue of rays" --input "$folder/text"
bad_file "$folder/rays: holds 3000 records, not 3001" --input "$folder/rays" --items 3001
# Known before hours of work.
bad_file "cannot write $folder/no/where" --items 1000000 --intervals 1000000 --output "$folder/no/where"
# Records for which there is no memory are not made for results that are refused.
bad_file "results of 2.048e+09 bytes a record are too large: at most 1073741824" --items 1000000000000 --item-bytes 2048 --results 1e6

usage "usage:"
usage "--items or --input is needed" --json
usage "unexpected argument '5'" --items 5 5
usage "--items takes an integer from 1 to 1099511627776, not '0'" --items 0
usage "--items takes an integer" --items -5
usage "--results takes a number from 0 to 1e6, not '-1'" --items 5 --results -1
usage "--results takes a number from 0 to 1e6, not 'nan'" --items 5 --results nan
usage "--schedule takes planned, equal, proportional or dynamic, not 'fast'" --items 5 --schedule fast
usage "--item-bytes takes a multiple of 8, not '65'" --items 5 --item-bytes 65
usage "unrecognized option" --items 5 --frobnicate
usage "--generate makes a catalogue of --items" --input "$folder/in" --generate "$folder/new"
usage "--output would overwrite the file of --input" --input "$folder/rays" --output "$folder/../${folder##*/}/rays"

# A worker dies, or stops for good, in mid-run: the job ends with an error that says so, and no results file is there.
computes() { # PROCESS: whether it has used two seconds of processor time, more than measuring takes
    [ "$(sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f12)" -ge $((2 * $(getconf CLK_TCK))) ]
}
lose() { # SIGNAL TIMEOUT TEXT
    rm -f "$folder/out"
    HS_TIMEOUT=$2 "$LAUNCH" -n 3 ./hs-scatter --items 3000 --intervals 30000 --output "$folder/lost" \
        >"$folder/out" 2>&1 &
    job=$!
    victim=
    for tick in $(seq 600); do
        victim=$(pgrep -P "$(pgrep -n -P $job)" 2>/dev/null | tail -1)
        [ -n "$victim" ] && computes "$victim" && break
        sleep 0.1
    done
    if [ -z "$victim" ]; then
        kill $job
        fail "no worker was found to send $1: $(cat "$folder/out")"
        return
    fi
    kill -"$1" "$victim"
    wait $job
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] || fail "a worker with $1: exit $status: $(cat "$folder/out")"
    grep -q "$3" "$folder/out" || fail "a worker with $1: '$3' is not in $(cat "$folder/out")"
    [ -z "$(ls "$folder" | grep lost)" ] || fail "a worker with $1 left $(ls "$folder")"
}
lose KILL 60s 'signal 9\|SIGNAL: 9\|BAD TERMINATION'
# Open MPI's launcher may stumble over the abort of a job with a stopped process, and lose what was said.
lose STOP 5s 'rank [12] was silent for .* s with [0-9]* items to compute\|[12] did not arrive within\|ORTE_ERROR_LOG'

# A bar for who watches, also under mpirun; none in files.
bar='\[####* *\] *100 %'
if command -v script >/dev/null; then
    timeout 300 script -qec "\"$LAUNCH\" -n 2 ./hs-scatter --items 3000" "$folder/screen" >/dev/null 2>&1 </dev/null
    tr '\r' '\n' <"$folder/screen" | grep -q "$bar" || fail "no progress bar on a terminal: $(cat "$folder/screen")"
fi
run 2 --items 3000 | grep -q "$bar" && fail "a progress bar without a terminal"
full --help
exit $failed
