/**
 * The yardstick: `node:http` and nothing else. Parses the same request and sends the same number of ready-made bytes.
 *
 * Started by `bench/main.ts`; a PUT to /answer?encoding=… sets the bytes that POST requests are answered with.
 */
import { createServer } from "node:http";

const answers = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.method === "GET") {
      response.end("OK");
      return;
    }
    const body = Buffer.concat(chunks);
    const encoding = /gzip/.test(request.headers["accept-encoding"] ?? "") ? "gzip" : "identity";
    if (request.method === "PUT") {
      answers.set(new URL(request.url ?? "/", "http://bare").searchParams.get("encoding") ?? "identity", body);
      response.end();
      return;
    }
    const table = (JSON.parse(body.toString()) as { policy_table?: { app_policies?: object } }).policy_table;
    const answer = answers.get(encoding);
    if (!answer || !table?.app_policies) {
      response.writeHead(400).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": answer.length,
      "Access-Control-Allow-Origin": "*",
      ...(encoding === "gzip" ? { "Content-Encoding": "gzip" } : {}),
    });
    response.end(answer);
  });
});

server.listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
