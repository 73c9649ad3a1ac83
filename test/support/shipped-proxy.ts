import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess } from "./processes";
import { freePort } from "./server";
import { findTool } from "./tools";

const shipped = path.join(import.meta.dirname, "../../deploy/compose/nginx.conf");

export const nginx = findTool("nginx", "the proxy of deploy/compose");

/**
 * nginx with the configuration of `deploy/compose`, except for addresses, TLS and file locations.
 * `ports` of `policy-1`, `policy-2` …; `change` modifies the configuration, e.g. to shorten a timeout.
 */
export async function startShippedProxy(
  ports: readonly number[],
  change: (configuration: string) => string = (same) => same,
) {
  if (nginx === null) throw new Error("nginx is not installed");
  const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
  const port = await freePort();
  const file = path.join(folder, "nginx.conf");
  writeFileSync(file, change(placed(folder, port, ports)));
  // One line per request that goes to another instance; relevant only if nginx does not start.
  const log = path.join(folder, "error.log");
  const child = spawn(nginx, ["-p", folder, "-c", file, "-e", log, "-g", "daemon off;"], { stdio: "ignore" });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(log, "utf8")}`);
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

function placed(folder: string, port: number, ports: readonly number[]): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
  return [
    // Workers of a root process would run as another user, who cannot access the folder.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    readFileSync(shipped, "utf8")
      .replace("http {", `http { ${places}`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *(?:http2|ssl_\w+) .*$/gm, "")
      .replaceAll(/policy-(\d+):3000/g, (_all, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`),
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
