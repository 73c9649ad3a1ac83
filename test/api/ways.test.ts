import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import * as login from "@/app/api/v1/login/route";
import { timesFile } from "@/scripts/test-plan.mjs";
import { send } from "@/test/support/applications";
import { publish, reviewed, stageGroup, withFirstRelease } from "@/test/support/releases";
import { useSettings } from "@/test/support/settings";
import { workedRequest } from "@/test/support/worked-example";
import { serveWorkedExample } from "@/test/support/worker-server";

/* How many files of the server execute code on the way of one request, from its route on, once everything is loaded. */
withFirstRelease();

const root = path.join(import.meta.dirname, "../..");
const measured: Record<string, number> = {};
/** For `npm run figures`. */
afterAll(() => {
  mkdirSync(path.dirname(timesFile), { recursive: true });
  writeFileSync(path.join(path.dirname(timesFile), "ways.json"), JSON.stringify(measured));
});

async function filesOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await act();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.disable");
  session.disconnect();
  const executed = result.filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0));
  const names = executed.map(({ url }) => path.relative(root, url.startsWith("file:") ? fileURLToPath(url) : url));
  return [...new Set(names)].filter((name) => /^(?:app|lib|models|server)\//.test(name)).toSorted();
}

/** `most`: some more than measured, because what runs beside it (timers, logs) may execute as well. */
async function expectFiles(way: string, most: number, act: () => Promise<unknown>): Promise<void> {
  const files = await filesOf(act);
  measured[way] = files.length;
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
  expect(files.length).toBeGreaterThan(5);
}

it("a save", async () => {
  await stageGroup("Doors");
  await expectFiles("save", 105, () => stageGroup("Doors", { user_consent_prompt: "Location" }));
});

it("a publication", async () => {
  await stageGroup("Doors");
  await publish({ items: await reviewed() });
  await stageGroup("Doors", { user_consent_prompt: "Location" });
  const items = await reviewed();
  await expectFiles("publication", 140, () => publish({ items }));
});

it("a sign-in", async () => {
  const password = "open sesame";
  useSettings({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, SESSION_SECRET: "s".repeat(32) });
  await send(login.POST, { password });
  await expectFiles("sign-in", 55, () => send(login.POST, { password }));
});

it("a vehicle request", async () => {
  const { url } = await serveWorkedExample();
  const ask = async () => {
    const answer = await fetch(`${url}/api/v1/production/policy`, {
      method: "POST",
      body: JSON.stringify(workedRequest),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  expect(await ask()).toBe(200);
  await expectFiles("vehicle request", 22, ask);
});
