# SPDX-License-Identifier: BSD-3-Clause
# hs cache, and what hs run makes of a cache that is damaged, foreign or cannot be written. A stand-in for the launcher copies
# a platform file where hs probe would write it.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
unset HS_PLATFORM
export HS_CACHE=on
export XDG_CACHE_HOME="$work/cache" TMPDIR="$work/temporary"
folder=$work/cache/heteroslice
mkdir "$TMPDIR"

expect 0 out "$folder: 0 measurements" hs cache list
expect 0 out '"files":[]' hs cache list --json
expect 0 out "removed 0 files" hs cache clear
[ ! -e "$work/cache" ] || fail "hs cache makes a folder"
expect 2 err "no subcommand given (expected list, show or clear)" hs cache
expect 2 err "unknown subcommand 'drop' (expected list, show or clear)" hs cache drop
expect 2 err "unknown subcommand 'claer'; did you mean 'clear'?" hs cache claer
expect 2 err "list takes no name" hs cache list a
expect 2 err "show takes the name" hs cache show
expect 2 err "--json goes with list" hs cache clear --json
expect 1 err "neither XDG_CACHE_HOME nor HOME" env -u HOME -u XDG_CACHE_HOME hs cache list
expect 1 err "no measurement's name begins with 'f'" hs cache show f

expect 1 err "no JSON, which is UTF-8: a name or path is not" env XDG_CACHE_HOME="$(printf '%s/\377' "$work")" hs cache list --json

platform() { # HOST
    printf '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="%s" speed="1Gf"/></zone></platform>\n' "$1"
}
platform "$(hostname)" >"$work/one.xml"
platform elsewhere >"$work/other.xml"
cat >"$work/launcher" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "slurm 1"; exit; }
case \$* in
*probe*) while [ "\$1" != -o ]; do shift; done; echo measured >>"$work/log"; cp "$work/one.xml" "\$2" ;;
esac
END
chmod +x "$work/launcher"
# COUNT TEXT: the run measures so many times, and says TEXT ("" for nothing of it).
run_says() {
    : >"$work/log"
    MPIEXEC="$work/launcher" hs run -n 1 -- true >"$work/out" 2>"$work/err" || fail "hs run: exit $?: $(cat "$work/err")"
    [ "$(grep -c . "$work/log")" = "$1" ] || fail "measured $(grep -c . "$work/log") times, expected $1: $(cat "$work/err")"
    grep -q -e "$2" "$work/err" || fail "'$2' is not in '$(cat "$work/err")'"
    [ -z "$(ls "$TMPDIR")" ] || fail "left in the temporary folder: $(ls "$TMPDIR")"
}
run_says 1 "measuring 1 host into $folder/platform-"
file=$(ls "$folder"/platform-*.xml)
name=${file##*/}
run_says 0 "using the measurement of .* ago"
[ "$(stat -c %a "$folder")" = 700 ] || fail "others may enter a new folder: $(stat -c %a "$folder")"
expect 0 out "$name  " hs cache list
expect 0 out "1 host: $(hostname)" hs cache list
expect 0 out "\"name\":\"$name\",\"age\":" hs cache list --json
expect 0 out "<host id=\"$(hostname)\"" hs cache show "$name"
some=${name#platform-}
hs cache show "${some%????????.xml}" | cmp - "$file" || fail "the beginning of a name shows another file"

# Files that must not be used are measured anew, and then are used.
spoil() { # TEXT WHAT...
    reason=$1
    shift
    "$@"
    expect 0 out "not used: $reason" hs cache list
    expect 0 out '"refused":"' hs cache list --json
    expect 1 err "is not used: $reason" hs cache show "$name"
    run_says 1 "the measurement in $file is not used: $reason"
    run_says 0 "using the measurement"
}
# Without the cache nothing of it is used or written.
cp "$file" "$work/kept.xml"
chmod a-w "$folder"
HS_CACHE=off run_says 1 "measuring 1 host into $TMPDIR/hs-platform-"
chmod u+w "$folder"
cmp "$file" "$work/kept.xml" || fail "HS_CACHE=off writes $file"
truncated() { head -c 60 "$work/one.xml" >"$file"; }
garbage() { head -c 5000 /dev/urandom >"$file"; }
empty() { : >"$file"; }
linked() { cp "$work/one.xml" "$work/elsewhere.xml"; ln -sf "$work/elsewhere.xml" "$file"; }
to_device() { ln -sf /dev/null "$file"; }
open_to_all() { chmod 755 "$folder"; chmod o+w "$file"; }
fifo() { rm "$file"; mkfifo "$file"; }
spoil "line " truncated
spoil "line " garbage
spoil "line " empty
spoil "it is a symbolic link" linked
cmp "$work/one.xml" "$work/elsewhere.xml" || fail "a symbolic link was written through"
spoil "it is a symbolic link" to_device
spoil "it is no file" fifo
spoil "it can be written by everybody" open_to_all
spoil "it did not hold any more when it was last used" touch -d @0 "$file"
touch -d @0 "$file" # of when it was measured nothing is known any more
expect 0 out "$name          -    not used: " hs cache list
expect 0 out '"age":null' hs cache list --json
cp "$work/other.xml" "$file"
run_says 1 "is not used: $(hostname) is not in it"

# Nothing in a folder that others can write is used, or written.
chmod o+w "$folder"
run_says 1 "its folder can be written by everybody"
expect 0 out "not used: its folder can be written by everybody" hs cache list
cmp -s "$work/one.xml" "$file" || fail "a file in an open folder was written"
chmod 700 "$folder"
rm -r "$folder"
echo >"$folder"
run_says 1 "its folder is a file"
expect 1 err "cannot read $folder: Not a directory" hs cache list
rm "$folder"
if [ "$(id -u)" = 0 ]; then
    run_says 1 "measuring 1 host"
    chown 12345 "$file"
    run_says 1 "it belongs to user 12345"
    chown 12345 "$folder"
    run_says 1 "its folder belongs to user 12345"
    chown 0 "$folder"
    # A read-only folder and a full disk, in a mount namespace of their own.
    if unshare -m mount -t tmpfs -o size=64k none "$folder" 2>/dev/null; then
        for kind in ro full; do
            : >"$work/log"
            said=$(MPIEXEC="$work/launcher" unshare -m sh -c '
                mount -t tmpfs -o size=64k,mode=700 none "$1"
                head -c 1000000 /dev/zero >"$1/fill" 2>/dev/null
                [ "$2" = full ] || mount -o remount,ro "$1"
                hs run -n 1 -- true 2>&1' - "$folder" $kind)
            case $said in *"the measurement is not kept in $folder/"*) ;; *) fail "$kind: $said" ;; esac
            [ "$(grep -c . "$work/log")" = 1 ] || fail "$kind: not measured: $said"
        done
        [ -z "$(ls "$TMPDIR")" ] || fail "left in the temporary folder: $(ls "$TMPDIR")"
    fi
fi

# A umask that lets everybody write, and a folder that everybody enters.
hs cache clear >/dev/null
chmod 755 "$folder"
chmod 666 "$work/one.xml"
mask=$(umask)
umask 0
run_says 1 "measuring 1 host"
run_says 0 "using the measurement"
umask "$mask"

# Jobs at the same time, and killed ones: the file is whole, and clear removes what they left, but nothing else.
hs cache clear >/dev/null
for k in 1 2 3 4; do
    MPIEXEC="$work/launcher" hs run -n 1 -- true >/dev/null 2>&1 &
done
wait
run_says 0 "using the measurement"
other=$folder/platform-0123456789abcdef.xml
# Of many hosts the list has the first four.
sed "s,<host.*/>,$(printf '<host id="n%s" speed="1Gf"/>' 1 2 3 4)," "$work/one.xml" >"$other"
touch -d '88 minutes ago' "$other"
expect 0 out "platform-0123456789abcdef.xml        1.5 h  4 hosts: n1 n2 n3 n4
" hs cache list
expect 0 out '"hosts":["n1","n2","n3","n4"]}' hs cache list --json
sed -i 's,<host id="n4",<host id="n5" speed="1Gf"/>&,' "$other"
expect 0 out "5 hosts: n1 n2 n3 n5 ...
" hs cache list
expect 1 err "no measurement's name begins with ''" hs cache show ""
cp "$file" "$other"
expect 1 err "2 measurements begin with 'platform-': expected the beginning of one name" hs cache show platform-
expect 0 out "removed 1 file" hs cache clear 0123
[ ! -e "$other" ] && [ -e "$file" ] || fail "hs cache clear 0123 leaves $(ls "$folder")"
head -c 10 "$file" >"$file.aB3dE6"
echo mine >"$folder/notes"
expect 0 out "1 unfinished" hs cache list
expect 0 out "$folder: 1 measurement" hs cache list
expect 0 out "removed 1 file" hs cache clear "$some"
expect 0 out "removed 1 file" hs cache clear
[ "$(ls "$folder")" = notes ] || fail "after clear there is $(ls "$folder")"
exit $failed
