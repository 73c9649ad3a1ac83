import { once } from "node:events";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { log } from "@/lib/platform/log";
import { LineSplitter, relayOutput } from "@/server/main/relay";
import { startLogChild } from "@/test/support/log-child";

const usual = log.level;
beforeEach(() => (log.level = "info"));
afterEach(() => (log.level = usual));

function relayed() {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  relayOutput({ stdout, stderr }, "console", (line) => lines.push(line));
  const end = async () => {
    const closed = Promise.all([once(stdout, "close"), once(stderr, "close")]);
    stdout.end();
    stderr.end();
    await closed;
    return lines.map((line) => JSON.parse(line));
  };
  return { stdout, stderr, lines, end };
}

it("N13: lines of several processes reach one log whole, whatever they print at the same time", async () => {
  const children = await Promise.all([startLogChild("pipe"), startLogChild("pipe")]);
  const lines: string[] = [];
  for (const { child } of children) relayOutput(child, "vehicle-worker-1", (line) => lines.push(line));
  const closed = children.map(({ child }) => once(child, "close"));
  await Promise.all(children.map(({ order }) => order({ kind: "log", lines: 4000 })));
  await Promise.all(children.map(({ last }) => last({ kind: "end" })));
  await Promise.all(closed);
  const pids = lines.map((line) => JSON.parse(line)).filter(({ n }) => n !== undefined);
  for (const { child } of children) expect(pids.filter(({ pid }) => pid === child.pid)).toHaveLength(4000);
});

it("N13: what a process prints besides, e.g. a warning of Node, becomes a line of the log", async () => {
  const { child, order, last } = await startLogChild("pipe");
  const lines: string[] = [];
  relayOutput(child, "vehicle-worker-1", (line) => lines.push(line));
  const closed = once(child, "close");
  await order({ kind: "print" });
  await last({ kind: "end" });
  await closed;
  const [warning] = lines.map((line) => JSON.parse(line));
  expect(warning).toMatchObject({ level: "warn", process: "vehicle-worker-1" });
  expect(warning.msg).toMatch(/Warning: be warned/);
});

it("N13: the stack of a process that dies is one line, without the credentials in it", async () => {
  const { stderr, end } = relayed();
  stderr.write("Error: cannot reach mongodb://me:hu");
  stderr.write("sh@db.example.com\n    at one (file.js:1:1)\n    at two (file.js:2:2)\n\nNode.js v20.20.2\n");
  const [line, ...rest] = await end();
  expect(rest).toEqual([]);
  expect(line).toMatchObject({ level: "error", process: "console" });
  expect(line.msg.split("\n")).toEqual([
    "Error: cannot reach mongodb://***@db.example.com",
    "    at one (file.js:1:1)",
    "    at two (file.js:2:2)",
    "",
    "Node.js v20.20.2",
  ]);
});

it("N13: passes log lines on as they are, and the half line of a process that was killed as text", async () => {
  const { stdout, end, lines } = relayed();
  stdout.write('{"level":"info","msg":"whole"}\n{"level":"info","ms');
  expect(lines).toEqual(['{"level":"info","msg":"whole"}\n']);
  expect((await end())[1]).toMatchObject({ level: "info", process: "console", msg: '{"level":"info","ms' });
});

it("N13: text is told by and by, also of a process that lives on", async () => {
  const { stdout, lines } = relayed();
  stdout.write("Listening somewhere\n");
  await expect.poll(() => lines.map((line) => JSON.parse(line).msg)).toEqual(["Listening somewhere"]);
  stdout.write("x\n".repeat(40_000));
  expect(lines).toHaveLength(2);
  await expect.poll(() => lines).toHaveLength(3);
});

it("N13: a line without an end does not fill the memory: it is cut, and the next is whole again", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (let n = 0; n < 100; n++) splitter.write(Buffer.alloc(10_000, "x"));
  splitter.write(Buffer.from("x\nnext\n"));
  expect(lines.map((line) => line.length)).toEqual([256 * 1024 + 1, 4]);
});

it("N13: lines are the same however the stream was cut", () => {
  const text = "eins\nzwölf 🚗\n\ndrei\nrest";
  const bytes = Buffer.from(text);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const lines: string[] = [];
      const splitter = new LineSplitter((line) => lines.push(line));
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      places.slice(1).forEach((end, index) => splitter.write(bytes.subarray(places[index], end)));
      splitter.end();
      expect(lines).toEqual(text.split("\n"));
    }),
  );
});

it("O10: text that is no warning stays out of a log of warnings, lines of the log do not", async () => {
  log.level = "warn";
  const { stdout, stderr, end } = relayed();
  stdout.write('Running next.config\n{"level":"warn","msg":"own"}\n');
  stderr.write("(node:1) Warning: be warned\n");
  const lines = await end();
  expect(lines.map(({ msg }) => msg).sort()).toEqual(["(node:1) Warning: be warned", "own"]);
});
