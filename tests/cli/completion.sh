# SPDX-License-Identifier: BSD-3-Clause
# Completion in both shells: every verb, each verb's options as its usage line has them, the words that an option takes.
. "$HS_TEST_SRCDIR/tests/cli/expect.sh"
expect 2 err "no shell given" hs completion
expect 1 err "no completion for 'fish' (expected bash or zsh)" hs completion fish

# WORDS...: what bash offers for the last of them
bash_offers() {
    bash -c 'eval "$(hs completion bash)"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _hs; echo " ${COMPREPLY[*]} "' bash "$@"
}
# TEXT WORDS...
bash_has() {
    text=$1
    shift
    case $(bash_offers "$@") in *" $text "*) ;; *) fail "bash: no '$text' after '$*': $(bash_offers "$@")" ;; esac
}
verbs=$(hs help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
if command -v bash >/dev/null; then
    cd "$work" || exit 99
    for verb in $verbs; do
        bash_has "$verb" hs "$verb"
        for option in $(hs "$verb" -h | sed -n 's/ -- .*//; 2p' | grep -o -e '[[ ]--*[a-z][a-z-]*' | tr -d ' ['); do
            bash_has "$option" hs "$verb" "$option"
        done
    done
    bash_has ring hs help ri
    bash_has platform hs help pl
    bash_has maxmin hs ring x.xml --share m
    bash_has maxmin hs ring x.xml --share =
    bash_has maxmin hs ring x.xml --share = m
    bash_has down hs lab d
    bash_has --rate-scale hs lab up --ra
    bash_has --name hs lab link --n
    [ "$(bash_offers hs lab up platf)$(bash_offers hs ring platf)$(bash_offers hs show --ring platf)" = "      " ] ||
        fail "bash: something else is offered where a file is expected"
    ! hs completion bash | grep "words='[ |]*'" || fail "bash: an option without a value is offered one"
    case $(bash_offers hs ring --ro) in *--routes*) ;; *) fail "bash: --ro is not completed" ;; esac
    case $(bash_offers hs run -- --) in *" --dry-run "*) ;; *) fail "bash: hs run has lost its options" ;; esac
fi

# TYPED WORDS: what bash makes of a line with tabs, in a folder with a file whose name has blanks, and a folder named as a verb is.
typed() {
    got=$(printf 'eval "$(hs completion bash)"; hs() { printf got; printf " <%%s>" "$@"; echo; }\n%b\nexit\n' "$1" |
        TERM=dumb script -qc 'bash --norc --noprofile -i' /dev/null | tr -d '\r' | sed -n 's/^.*\(got <.*>\)$/\1/p' | tail -1)
    [ "$got" = "$2" ] || fail "bash: '$1' becomes '$got', expected '$2'"
}
if command -v bash >/dev/null && command -v script >/dev/null; then
    mkdir "$work/typed" "$work/typed/report" && cd "$work/typed" && touch 'my platform.xml' || exit 99
    typed 'hs show my\t' 'got <show> <my platform.xml>'
    typed 'hs repo\tmy\t-o x' 'got <report> <my platform.xml> <-o> <x>'
    typed 'hs ring my\t--sh\tkin\t' 'got <ring> <my platform.xml> <--share> <kinsol>'
    typed 'hs ring my\t--share=kin\t--routes=fi\t' 'got <ring> <my platform.xml> <--share=kinsol> <--routes=fixed>'
    typed 'hs show x.xml --ring=my\t' 'got <show> <x.xml> <--ring=my platform.xml>'
fi

# What zsh is told, also where there is none: a line a verb, with its options and their words.
hs completion zsh >"$work/zsh" || fail "hs completion zsh: exit $?"
[ $(($(sed "s/\\\\'//g" "$work/zsh" | tr -dc \' | wc -c) % 2)) = 0 ] || fail "zsh: a quote is open"
for verb in $verbs; do
    line=$(grep "^    '$verb') _arguments .* ;;\$" "$work/zsh") || fail "zsh: no line of $verb"
    grep -q "^ *\(verbs=(\)\{0,1\}'$verb:" "$work/zsh" || fail "zsh: nothing says what $verb does"
    for option in $(hs "$verb" -h | sed -n 's/ -- .*//; 2p' | grep -o -e '[[ ]--*[a-z][a-z-]*' | tr -d ' ['); do
        case $line in *" '$option'"* | *" '$option:"* | *" '$option=:"*) ;; *) fail "zsh: no $option in '$line'" ;; esac
    done
done
for text in "'ring') .* '--share=:choice:(greedy maxmin optimal kinsol)' " "'lab up') .* '--rate-scale=:X:_files' " \
    "'completion') _arguments '1:what:(bash zsh)' " "'cache') .*'1:what:(list show clear)' " "'show') .* '--json' "; do
    grep -q -e "^    $text" "$work/zsh" || fail "zsh: no $text"
done

# zsh hands on what it offers to functions of its own, which here print it.
if command -v zsh >/dev/null; then
    said=$(zsh -fc 'compdef() { :; }; _describe() { print -l -- ${(P)2}; }; eval "$(hs completion zsh)"
        words=(hs r) CURRENT=2 _hs') || fail "zsh: $said"
    zsh -fc 'compdef() { :; }; _describe() { print -l -- ${(P)2}; }; eval "$(hs completion zsh)"
        words=(hs help pl) CURRENT=3 _hs' | grep -q '^platform:' || fail "zsh: no page after help"
    for verb in $verbs; do
        echo "$said" | grep -q "^$verb:" || fail "zsh: no $verb in $said"
        zsh -fc 'compdef() { :; }; _arguments() { print -rl -- "$@"; }; eval "$(hs completion zsh)"
            words=(hs '"$verb"' "") CURRENT=3 _hs' >"$work/zsh" || fail "zsh: hs $verb: exit $?"
        for option in $(hs "$verb" -h | sed -n 's/ -- .*//; 2p' | grep -o -e '[[ ]--*[a-z][a-z-]*' | tr -d ' ['); do
            grep -q -e "^$option\(=\{0,1\}:\|\$\)" "$work/zsh" || fail "zsh: hs $verb: no $option"
        done
    done
    zsh -fc 'compdef() { :; }; _arguments() { print -rl -- $CURRENT "$@"; }; eval "$(hs completion zsh)"
        words=(hs lab up --ra) CURRENT=4 _hs' >"$work/zsh" || fail "zsh: hs lab up: exit $?"
    [ "$(head -1 "$work/zsh")" = 2 ] && grep -q '^--rate-scale=:' "$work/zsh" || fail "zsh: hs lab up: no --rate-scale in $(cat "$work/zsh")"
fi
exit $failed
