import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess } from "./processes";
import { freePort } from "./server";
import { findTool } from "./tools";

const root = path.join(import.meta.dirname, "../..");

/** A proxy with its configuration in `deploy/compose`. */
export interface ShippedProxy {
  readonly name: string;
  readonly program: string;
  readonly file: string;
  /** Those that run it in the foreground, with errors on standard error. */
  readonly words: (folder: string, file: string) => readonly string[];
  /** Those that only try the file that follows. */
  readonly tryWords: readonly string[];
  /** Paths that it asks instances for; none if it learns from their answers alone whether they are ready. */
  readonly checks: readonly string[];
  /** The configuration with another address and user, without TLS, and with files only in the folder. */
  readonly place: (text: string, folder: string, port: number) => string;
}

const all: readonly Omit<ShippedProxy, "program" | "checks">[] = [
  {
    name: "nginx",
    file: path.join(root, "deploy/compose/nginx.conf"),
    words: (folder, file) => ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"],
    tryWords: ["-t", "-e", "stderr", "-c"],
    place: placeNginx,
  },
  {
    name: "haproxy",
    file: path.join(root, "deploy/compose/haproxy.cfg"),
    words: (_folder, file) => ["-db", "-f", file],
    tryWords: ["-c", "-f"],
    place: (text, _folder, port) =>
      text.replace(/bind :443 .*/, `bind 127.0.0.1:${port}`).replaceAll(/^ *(?:user|group) .*$/gm, ""),
  },
];

/** Those that are installed. */
export const shippedProxies: readonly ShippedProxy[] = all.flatMap((proxy) => {
  const program = findTool(proxy.name, "a proxy of deploy/compose");
  const checks = [...readFileSync(proxy.file, "utf8").matchAll(/http-check send meth GET uri (\S+)/g)];
  return program === null ? [] : [{ ...proxy, program, checks: checks.map(([, asked = ""]) => asked) }];
});

/**
 * Starts a proxy as it is configured in `deploy/compose`, except for addresses, TLS and file locations.
 * `ports` of `policy-1`, `policy-2` …; `change` modifies the configuration, e.g. to shorten a timeout.
 */
export async function startShippedProxy(
  { name, program, file: shipped, words, place }: ShippedProxy,
  ports: readonly number[],
  change: (configuration: string) => string = (same) => same,
) {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  const port = await freePort();
  const file = path.join(folder, "configuration");
  const placed = place(readFileSync(shipped, "utf8"), folder, port).replaceAll(
    /policy-(\d+):3000/g,
    (_all, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`,
  );
  writeFileSync(file, change(placed));
  // One line per request that goes to another instance; relevant only if the proxy does not start.
  const log = path.join(folder, "error.log");
  const output = openSync(log, "a");
  const child = spawn(program, words(folder, file), { stdio: ["ignore", output, output] });
  closeSync(output);
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${readFileSync(log, "utf8")}`);
    await wait(20);
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      await stopProcess(child, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function placeNginx(text: string, folder: string, port: number): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
  return [
    // Workers of a root process would run as another user, who cannot access the folder.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    text
      .replace("http {", `http { ${places}`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *(?:http2|ssl_\w+) .*$/gm, ""),
  ].join("\n");
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
