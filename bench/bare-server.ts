/**
 * The baseline: plain `node:http`. Parses the same requests and sends the same bytes, prepared in advance.
 *
 * Started by `bench/main.ts`. A PUT to /answers?encoding=…&at=… sets one of the responses that POST requests get in turn; at
 * 0, earlier ones are forgotten.
 */
import { createServer } from "node:http";

const answers = { gzip: [] as Buffer[], identity: [] as Buffer[] };
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
    if (request.method === "PUT") {
      const { searchParams } = new URL(request.url ?? "/", "http://bare");
      const list = answers[searchParams.get("encoding") === "gzip" ? "gzip" : "identity"];
      if (searchParams.get("at") === "0") list.length = 0;
      list.push(body);
      response.end();
      return;
    }
    const isGzip = /gzip/.test(request.headers["accept-encoding"] ?? "");
    const table = (JSON.parse(body.toString()) as { policy_table?: { app_policies?: object } }).policy_table;
    const list = answers[isGzip ? "gzip" : "identity"];
    const answer = list[next++ % list.length];
    if (!answer || !table?.app_policies) {
      response.writeHead(400).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": answer.length,
      "Access-Control-Allow-Origin": "*",
      ...(isGzip ? { "Content-Encoding": "gzip" } : {}),
    });
    response.end(answer);
  });
});

server.listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
