import { spawnSync } from "node:child_process";
import { chownSync, cpSync, mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./temporary-folder";

export interface Instruction {
  readonly name: string;
  /** Options such as `--from=…`, without dashes. */
  readonly options: Readonly<Record<string, string>>;
  readonly rest: string;
}

export function parseDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n");
  return lines.map((line) => {
    const [, name = "", options = "", rest = ""] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`no instruction: ${line}`);
    const given = options.matchAll(/--([\w-]+)=(\S+)/g);
    return { name, options: Object.fromEntries([...given].map(([, key = "", value = ""]) => [key, value])), rest };
  });
}

/** Stages run in folders that stand for their roots; `owner` replaces `--chown`, null if that is not allowed. */
export function runDockerfile(
  text: string,
  { context, args, owner }: { context: string; args: Readonly<Record<string, string>>; owner: number | null },
) {
  const stages = new Map<string, string>();
  const roots: string[] = [];
  let [root, folder, env, user]: [string, string, Record<string, string>, string | null] = ["", "/", {}, null];
  let [command, health, stopSignal]: [string[], string[], string | null] = [[], [], null];
  let known: Record<string, string> = {};
  const filled = (value: string) => value.replace(/\$\{(\w+)\}/g, (_whole, name: string) => known[name] ?? "");
  const inside = (name: string) => path.join(root, path.resolve(folder, name));
  for (const { name, options, rest } of parseDockerfile(text)) {
    switch (name) {
      case "FROM": {
        [root, folder, env, user, known] = [temporaryFolder(), "/", {}, null, {}];
        roots.push(root);
        const stage = / AS (\w+)$/.exec(rest)?.[1];
        if (stage !== undefined) stages.set(stage, root);
        break;
      }
      case "ARG":
        known[rest] = args[rest] ?? "";
        break;
      case "ENV":
        for (const [, key = "", value = ""] of rest.matchAll(/(\w+)=(\S+)/g)) env[key] = filled(value);
        break;
      case "WORKDIR":
        folder = path.resolve(folder, rest);
        mkdirSync(inside("."), { recursive: true });
        break;
      case "COPY": {
        const [from = "", to = ""] = filled(rest).split(" ");
        const source = options.from === undefined ? context : stages.get(options.from);
        const target = inside(to);
        cpSync(path.join(source ?? "", from), target, { recursive: true, verbatimSymlinks: true });
        if (options.chown !== undefined && owner !== null) chownSync(target, owner, owner);
        break;
      }
      case "RUN": {
        const { status, stderr } = spawnSync("sh", ["-ec", rest], { cwd: inside("."), encoding: "utf8" });
        if (status !== 0) throw new Error(`${rest} ended with ${status}: ${stderr}`);
        break;
      }
      case "USER":
        user = rest;
        break;
      case "STOPSIGNAL":
        stopSignal = rest;
        break;
      case "HEALTHCHECK":
        health = JSON.parse(rest.replace(/^CMD /, ""));
        break;
      case "CMD":
        command = JSON.parse(rest);
        break;
      case "VOLUME":
        if (!statSync(inside(rest)).isDirectory()) throw new Error(`${rest} is no folder`);
        break;
      case "EXPOSE":
        break;
      default:
        throw new Error(`${name} is not known here`);
    }
  }
  return { root, roots, folder: inside("."), env, user, command, health, stopSignal };
}
