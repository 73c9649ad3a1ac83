import { describe, expect, it } from "vitest";
import { createVehicleLog } from "@/lib/vehicle-api/vehicle-log";
import type { VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import { createLog } from "@/lib/platform/log";
import type { Settings } from "@/lib/platform/settings";

const answer = (members: Partial<VehicleEvent> = {}): VehicleEvent => ({
  environment: "production",
  method: "POST",
  status: 200,
  requestId: "7d0c2a54",
  milliseconds: 1.2345,
  bytes: 100,
  repair: null,
  cause: undefined,
  ...members,
});

function logged(logLevel: Settings["logLevel"], events: readonly VehicleEvent[]) {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) }, "info");
  let drawn = 0;
  const random = () => (drawn++ % 10_000) / 10_000;
  const observe = createVehicleLog({ logLevel }, { log, accessLog: log, random });
  for (const event of events) observe(event);
  return lines.map((line) => JSON.parse(line));
}

describe("N14: LOG_LEVEL", () => {
  const many = Array.from({ length: 20_000 }, () => answer());

  it("debug: every answer is a line without a factor", () => {
    const lines = logged("debug", many);
    expect(lines).toHaveLength(20_000);
    expect(lines[0]).toMatchObject({
      level: "info",
      msg: "request",
      method: "POST",
      path: "/api/v1/production/policy",
      status: 200,
      ms: 1.23,
      request_id: "7d0c2a54",
    });
    expect(lines[0]).not.toHaveProperty("sampled");
  });

  it("info: one of 1,000, with the factor in the line", () => {
    const lines = logged("info", many);
    expect(lines).toHaveLength(20);
    for (const line of lines) expect(line).toMatchObject({ status: 200, sampled: 1000 });
  });

  it.each(["info", "debug"] as const)("%s: every refusal, and failures with their cause", (choice) => {
    const refusals = [400, 405, 413, 503].map((status) => answer({ status }));
    const cause = new Error("wrong key");
    const events = [...refusals, answer({ status: 400, cause }), answer({ status: 500, cause })];
    expect(logged(choice, events).map(({ level, status, msg, err }) => [level, status, msg, err?.message])).toEqual([
      ["info", 400, "request", undefined],
      ["info", 405, "request", undefined],
      ["info", 413, "request", undefined],
      ["info", 503, "request", undefined],
      ["warn", 400, "a policy table could not be decrypted", "wrong key"],
      ["error", 500, "request failed", "wrong key"],
    ]);
  });
});

it("Q4: repaired requests are one line a minute, with their count and nothing of what was sent", () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) }, "info");
  let now = 0;
  const observe = createVehicleLog({ logLevel: "info" }, { log, accessLog: log, random: () => 1, now: () => now });
  for (const at of [0, 10, 59_999, 60_000, 60_001, 130_000]) {
    now = at;
    observe(answer({ repair: "scan" }));
    observe(answer());
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    [1, 3, 2].map((requests) => ({ level: "warn", requests })),
  );
});
