import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createLog } from "@/lib/platform/log";

function captured(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  write(createLog(stream, "info"));
  return lines;
}

it("writes one JSON line with level, time and message", () => {
  const [line = "", ...rest] = captured((log) => log.info({ requestId: "1" }, "request"));
  expect(rest).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ level: "info", requestId: "1", msg: "request" });
  expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

it("E5: masks secrets that are handed over by mistake", () => {
  const [line] = captured((log) =>
    log.info({
      password: "hush",
      settings: { mongodbUri: "hush" },
      request: { headers: { "basic-auth-password": "hush" } },
    }),
  );
  expect(line).not.toContain("hush");
  expect(line).toContain("***");
});

it("E5: masks credentials in error texts and leaves out members of foreign errors", () => {
  const cause = Object.assign(new Error("cannot reach mongodb://admin:p@hush@db.example.com/x"), {
    options: { auth: "hush" },
  });
  const [line = ""] = captured((log) => log.error({ err: new Error("failed", { cause }) }, "request failed"));
  expect(line).not.toContain("hush");
  expect(JSON.parse(line).err).toMatchObject({
    type: "Error",
    message: "failed",
    cause: { message: "cannot reach mongodb://***@db.example.com/x" },
  });
});

it("ends a circular chain of causes", () => {
  const error = new Error("round");
  error.cause = error;
  expect(captured((log) => log.error({ err: error }, "x"))).toHaveLength(1);
});

it("does not write below its level", () => expect(captured((log) => log.debug("quiet"))).toEqual([]));
