import type { Command } from "commander";

export const shells = ["bash", "zsh", "fish"] as const;

interface Place {
  readonly path: string;
  readonly words: readonly string[];
}

/** A script for the shell that completes commands and options; anything else completes as a file. */
export function completionFor(shell: (typeof shells)[number], program: Command): string {
  const places = listPlaces(program, []);
  const ways = places.filter(({ path }) => path !== "").map(({ path }) => `"${path.includes(" ") ? "" : " "}${path}"`);
  if (shell === "fish") return buildFishScript(places, ways);
  return (shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "") + buildBashScript(places, ways);
}

function listPlaces(command: Command, above: readonly string[]): Place[] {
  const options = command.options.flatMap(({ long }) => long ?? []);
  const words = [...command.commands.map((one) => one.name()), ...options, "--help"];
  const below = command.commands.flatMap((one) => listPlaces(one, [...above, one.name()]));
  return [{ path: above.join(" "), words }, ...below];
}

const buildBashScript = (places: readonly Place[], ways: readonly string[]) => `_open_policy() {
  local at= word next
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$at $word" in
      ${ways.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${places.map(({ path, words }) => `    "${path}") next="${words.join(" ")}" ;;\n`).join("")}  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _open_policy open-policy
`;

const buildFishScript = (places: readonly Place[], ways: readonly string[]) => `function __open_policy_words
  set --local at ""
  for word in (commandline --tokenize --cut-at-cursor --current-process)[2..]
    switch "$at $word"
      case ${ways.join(" ")}
        set at (string trim "$at $word")
    end
  end
  switch "$at"
${places.map(({ path, words }) => `    case "${path}"\n      string join \\n -- ${words.join(" ")}\n`).join("")}  end
end
complete --command open-policy --arguments "(__open_policy_words)"
`;
