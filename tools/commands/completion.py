"""Print what a shell needs to complete kproto's command lines with the Tab key.

bash    eval "$(kproto completion bash)" in ~/.bashrc
zsh     eval "$(kproto completion zsh)" in ~/.zshrc, after compinit
fish    kproto completion fish | source, in ~/.config/fish/config.fish
"""

from __future__ import annotations

from argparse import ArgumentParser

# The scripts know nothing of commands and options: they ask kproto, whose parsers know all.
# Where it has no answer, the shell completes names of files.
_BASH = r"""
_kproto() {
    local IFS=$'\x1f' word
    local line="${COMP_WORDS[*]:0:COMP_CWORD+1}"
    COMPREPLY=()
    while IFS=$'\t' read -r word _; do
        COMPREPLY+=("$word")
    done < <("$1" completion candidates "$line" 2>/dev/null)
}
complete -o default -F _kproto kproto
"""
_ZSH = r"""
_kproto() {
    local -a found
    found=("${(@f)$("${words[1]}" completion candidates "${(pj:\x1f:)words[1,CURRENT]}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then
        found=("${(@)found//:/\\:}")
        found=("${(@)found//$'\t'/:}")
        _describe kproto found
    else
        _files
    fi
}
compdef _kproto kproto
"""  # noqa: E501
_FISH = r"""
function __kproto_candidates
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] completion candidates (string join \x1f -- $words) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c kproto -f -a '(__kproto_candidates)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_ASKED = "candidates"


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kproto completion`."""
    parser.add_argument(
        "shell",
        metavar="SHELL",
        choices=[*SCRIPTS, _ASKED],
        help=f"{', '.join(SCRIPTS)}; the scripts themselves ask for `{_ASKED} LINE`",
    )
    parser.add_argument(
        "line", metavar="LINE", nargs="?", help="a command line up to where the cursor is"
    )
