import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { requestTable } from "@/lib/exchange/migration/request-table";

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/policy`;
}

it.each([
  ["before it answers", (response: any) => response.destroy()],
  ["while it answers", (response: any) => response.writeHead(200).write('{"data"', () => response.destroy())],
])("X8c: asks again if the server ends the connection %s, and names the cause if it goes on", async (_, fail) => {
  let failures = 2;
  const url = await serve((_request, response) => {
    failures -= 1;
    if (failures >= 0) fail(response);
    else response.end(JSON.stringify({ data: [{ policy_table: { a: 1 } }] }));
  });
  await expect(requestTable(url, {}, [1, 1])).resolves.toEqual({ a: 1 });
  failures = 2;
  await expect(requestTable(url, {}, [1])).rejects.toThrow(
    /\/policy cannot be reached: (UND_ERR_SOCKET, other side|.*ECONNRESET)/,
  );
});

it("X8c: says at once what another attempt cannot mend", async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(500).end("no");
  });
  await expect(requestTable(url, {}, [1])).rejects.toThrow(`${url} answers 500, and not with a policy table`);
  expect(asked).toBe(1);
  await expect(requestTable("http://127.0.0.1:9/", {}, [60_000])).rejects.toThrow("cannot be reached: bad port");
});
