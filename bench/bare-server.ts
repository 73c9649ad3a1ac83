/**
 * The baseline: plain `node:http`. Parses the same requests and sends the same bytes, prepared in files.
 *
 * Started by `bench/worker-matrix.ts`. A POST to /<name> gets the files in the folder ANSWERS/<name> in turn. With PROCESSES=2,
 * two processes share the port.
 */
import cluster from "node:cluster";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

const processes = Number(process.env["PROCESSES"] ?? 1);
if (cluster.isPrimary && processes > 1) {
  // As vehicle workers do, each takes connections from the same socket.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const workers = Array.from({ length: processes }, () => cluster.fork());
  process.once("SIGTERM", () => workers.forEach((worker) => worker.process.kill()));
} else serve();

function serve(): void {
  const prepared = new Map<string, readonly Buffer[]>();
  let next = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "GET") {
        response.end("OK");
        return;
      }
      const body = Buffer.concat(chunks);
      const table = (JSON.parse(body.toString()) as { policy_table?: { app_policies?: object } }).policy_table;
      const url = request.url ?? "";
      const list = prepared.get(url) ?? read(url);
      const answer = list[next++ % list.length];
      if (!answer || !table?.app_policies) {
        response.writeHead(400).end();
        return;
      }
      response.writeHead(200, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": answer.length,
        "Access-Control-Allow-Origin": "*",
        ...(/gzip/.test(request.headers["accept-encoding"] ?? "") ? { "Content-Encoding": "gzip" } : {}),
      });
      response.end(answer);
    });
  });

  function read(url: string): readonly Buffer[] {
    const folder = path.join(process.env["ANSWERS"] ?? "", url);
    const list = readdirSync(folder).map((file) => readFileSync(path.join(folder, file)));
    prepared.set(url, list);
    return list;
  }

  server.listen(Number(process.env["PORT"]), "127.0.0.1");
  process.once("SIGTERM", () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
