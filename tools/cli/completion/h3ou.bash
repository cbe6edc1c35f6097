# SPDX-License-Identifier: BSD-3-Clause
# Completion of bash for h3ou and waitio-serv. The commands themselves say what may follow (--words), so that this file names
# no command and no option.
_h3ou() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=("$1") word words= most=3
    [[ ${1##*/} == h3ou ]] || most=1
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == -* || ${#command[@]} -eq $most ]] && break
        [[ $word == help ]] || command+=("$word")
    done
    # bash makes three words of --option=value.
    [[ $current == = ]] && current=
    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
    if [[ $previous == -* && $current != -* ]]; then
        words=$("${command[@]}" --words "$previous" 2>/dev/null)
    elif [[ $current == -* ]]; then
        words=$("${command[@]}" --words 2>/dev/null)
    elif ((${#command[@]} < most)); then
        words=$("${command[@]}" --words 2>/dev/null | grep -v '^-')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    ((${#COMPREPLY[@]})) || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -o filenames -F _h3ou h3ou waitio-serv
