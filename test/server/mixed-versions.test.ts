import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { whenAnswered } from "@/test/support/processes";
import { buildReleaseBefore } from "@/test/support/release-before";
import { rpcBody } from "@/test/support/releases";
import { aloneEnvironment, emptyDataDir, startDatabase, startServer } from "@/test/support/server";
import { usesSecondEngine } from "@/test/support/second-engine";
import { requestTable } from "@/test/support/vehicle";

/* On the second engine: the embedded database takes only the queries of its own version, and serves one instance. */

let program: string | null = null;
beforeAll(async () => {
  if (usesSecondEngine) program = await buildReleaseBefore();
});
const ended: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ended.reverse()) await end();
});

it.runIf(usesSecondEngine)(
  "O7, O12: the release before runs beside this one on one database, forward and back, under load",
  async ({ skip }) => {
    if (program === null) return skip();
    const database = await startDatabase(emptyDataDir());
    ended.push(() => database.kill());
    // 0.1.0 cannot turn off what it reads from outside.
    const env = { ...aloneEnvironment, RPC_SPEC_URL: "http://127.0.0.1:9/", MONGODB_URI: database.uri };
    const startThis = async () => {
      const server = await startServer({ env, dataDir: emptyDataDir() });
      ended.push(() => server.stop());
      return server;
    };
    const before = await startServer({ command: [program], env, dataDir: emptyDataDir(), readyPath: null });
    ended.push(() => before.stop());
    await whenAnswered(`${before.origin}/health/ready`, () => expect(before.child.exitCode).toBeNull());

    const load = startLoad(before.origin);
    await load.save(3, [before]);
    const [first] = await Promise.all([startThis(), load.save(4, [before])]);
    await load.save(6, [before, first]);
    for (const one of [before, first]) await expect.poll(() => savedAt(one)).toEqual(load.saved);
    await Promise.all([first.stop(), load.save(3, [before])]);
    await expect.poll(() => savedAt(before)).toEqual(load.saved);
    const second = await startThis();
    await load.save(1, [second]);
    for (const one of [before, second]) await expect.poll(() => savedAt(one)).toEqual(load.saved);

    expect(await load.stop()).toEqual([200]);
    // What the release before has written is sealed with the next event of this one (W11a).
    expect((await send(second, "audit/verify")).data).toMatchObject({ is_whole: true });
    expect((await send(second, "releases/changes")).data.items).toEqual([]);
  },
);

interface Instance {
  readonly origin: string;
}

/** Vehicles that ask the release before without a pause, and people who save and publish groups. */
function startLoad(origin: string) {
  const saved: string[] = [];
  const statuses = new Set<unknown>();
  const end = new AbortController();
  const driving = (async () => {
    while (!end.signal.aborted) {
      statuses.add((await requestTable(origin).catch((error: unknown) => ({ status: String(error) }))).status);
      await wait(5);
    }
  })();
  return {
    /** Names, in order. */
    saved,
    /** Through each instance in turn. */
    save: async (count: number, instances: readonly Instance[]) => {
      for (let place = 0; place < count; place++) {
        const instance = instances[place % instances.length];
        if (instance === undefined) throw new Error("there is no instance");
        const name = `Save ${String(saved.length).padStart(2, "0")}`;
        const rpcs = [rpcBody("Show", ["FULL"])];
        await send(instance, "groups", { name, is_default: false, rpcs, user_consent_prompt: null });
        const { data } = await send(instance, "groups?environment=staging");
        const { id } = data.groups.find((group: any) => group.name === name);
        await send(instance, "groups/promote", { id: [id] });
        saved.push(name);
      }
    },
    stop: async () => {
      end.abort();
      await driving;
      return [...statuses];
    },
  };
}

async function savedAt({ origin }: Instance): Promise<string[]> {
  const { table } = await requestTable(origin);
  return Object.keys(table.functional_groupings)
    .filter((name) => name.startsWith("Save "))
    .sort();
}

/** Without a body: reads. */
async function send({ origin }: Instance, route: string, body?: object): Promise<any> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${origin}/api/v1/${route}`, body && post);
  const text = await answer.text();
  expect(answer.status, `${route}: ${text}`).toBe(200);
  return JSON.parse(text);
}
