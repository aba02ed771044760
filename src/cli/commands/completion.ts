import type { Call } from "../call.ts";

/** The program's commands as a shell needs them. */
export type CommandTree = {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string }[];
  readonly commands: readonly CommandTree[];
};

export type Shell = "bash" | "zsh" | "fish";

/** A script that completes commands and options; made from the program itself, so it knows no others. */
export async function completion(call: Call, shell: Shell, tree: CommandTree): Promise<number> {
  const script = { bash, zsh, fish }[shell](tree);
  if (call.json) call.emit({ v: 1, shell, script });
  else call.verbatim(script);
  return 0;
}

/** Each place in the tree as the words that lead there, with what may come next. */
function places(tree: CommandTree, way: readonly string[] = []): { way: readonly string[]; at: CommandTree }[] {
  return [{ way, at: tree }, ...tree.commands.flatMap((next) => places(next, [...way, next.name]))];
}

const wordsOf = ({ commands, options }: CommandTree): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(" ");

function bash(tree: CommandTree): string {
  const cases = places(tree).map(({ way, at }) => `    "${way.join(" ")}") words="${wordsOf(at)}" ;;`);
  return `# signalbox completion for bash: source <(signalbox completion bash)
_signalbox() {
  local way="" word words=""
  local known=" ${places(tree)
    .map(({ way }) => way.join("/"))
    .filter(Boolean)
    .join(" ")} "
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    local longer="\${way:+$way/}$word"
    [[ "$known" == *" $longer "* ]] && way="$longer"
  done
  case "\${way//\\// }" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signalbox signalbox`;
}

/** zsh runs the functions of bash; that is less to be wrong about. */
function zsh(tree: CommandTree): string {
  return `#compdef signalbox
# signalbox completion for zsh: source <(signalbox completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(tree)}`;
}

function fish(tree: CommandTree): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = places(tree).flatMap(({ way, at }) => {
    const condition =
      way.length === 0
        ? "__fish_use_subcommand"
        : way.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const here = `complete -c signalbox -n ${quoted(condition)}`;
    return [
      ...at.commands.map(({ name, about }) => `${here} -f -a ${name} -d ${quoted(about)}`),
      ...at.options
        .filter(({ flag }) => flag.startsWith("--"))
        .map(({ flag, about }) => `${here} -l ${flag.slice(2)} -d ${quoted(about)}`),
    ];
  });
  return ["# signalbox completion for fish: signalbox completion fish | source", ...lines].join("\n");
}
