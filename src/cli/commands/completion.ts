import type { Call } from "../call.ts";

export type Shell = "bash" | "zsh" | "fish";

/**
 * Prints a script that calls the program on every key press, so completions include this repository's runs, questions
 * and pipelines.
 */
export async function printCompletion(call: Call, shell: Shell): Promise<number> {
  const script = { bash: BASH, zsh: ZSH, fish: FISH }[shell];
  if (call.json) call.emit({ v: 1, shell, script });
  else call.verbatim(script);
  return 0;
}

// The scripts call the program found on PATH, not the one that was typed: a key press must not start a file of the
// repository.

const BASH = `# signalbox completion for bash: source <(signalbox completion bash)
_signalbox() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("$line")
    [[ "$line" == *[:=] ]] && compopt -o nospace 2>/dev/null
  done < <(command signalbox __complete line "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o nosort -o bashdefault -o default -F _signalbox signalbox 2>/dev/null ||
  complete -o bashdefault -o default -F _signalbox signalbox`;

const ZSH = `#compdef signalbox
# signalbox completion for zsh: source <(signalbox completion zsh), or as _signalbox in a folder of $fpath
_signalbox() {
  local line value about
  local -a values shown begun begunshown
  while IFS= read -r line; do
    value="\${line%%$'\\t'*}" about="\${line#*$'\\t'}"
    [[ -n "$about" ]] && about="$value  -- $about" || about="$value"
    if [[ "$value" == *[:=] ]]; then
      begun+=("$value") begunshown+=("$about")
    else
      values+=("$value") shown+=("$about")
    fi
  done < <(command signalbox __complete words "\${(@Q)words[2,CURRENT-1]}" "\${(Q)\${:-$IPREFIX$PREFIX}}" 2>/dev/null)
  (( \${#values} + \${#begun} )) || { _files; return }
  (( \${#values} )) && compadd -l -V signalbox -d shown -a values
  (( \${#begun} )) && compadd -l -V signalbox -S '' -d begunshown -a begun
}
if [[ "\${funcstack[1]}" == _signalbox ]]; then _signalbox "$@"; else compdef _signalbox signalbox; fi`;

const FISH = `# signalbox completion for fish: signalbox completion fish | source
function __signalbox_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (command signalbox __complete words $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -eq 0
    __fish_complete_path "$current"
  else
    printf '%s\\n' $found
  end
end
complete -c signalbox -f -k -a '(__signalbox_complete)'`;
