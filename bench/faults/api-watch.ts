import { setTimeout as wait } from "node:timers/promises";
import { groupBody, post } from "@/bench/calls";

/** A response of the administration API. */
interface Answer {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Null: the connection ended without a response. */
  readonly status: number | null;
}

/** Administrators who read and write all the time, whether or not earlier requests have been answered. */
export function watchApi(origin: string) {
  const answers: Answer[] = [];
  const underWay = new Set<Promise<void>>();
  const ask = (send: () => Promise<Response>) => {
    const from = Date.now();
    const asked = send()
      .then(async (response) => {
        await response.text();
        answers.push({ from, to: Date.now(), status: response.status });
      })
      .catch(() => {
        answers.push({ from, to: Date.now(), status: null });
      })
      .finally(() => underWay.delete(asked));
    underWay.add(asked);
  };
  let asked = 0;
  const timer = setInterval(() => {
    ask(() => fetch(`${origin}/api/v1/groups/names`, { signal: AbortSignal.timeout(60_000) }));
    if (asked++ % 5 === 0) ask(() => writeGroup(origin));
  }, 200);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      const count = (status: number | null) => answers.filter((one) => one.status === status).length;
      const others = answers.filter(({ status }) => status !== 200 && status !== 503);
      return {
        ok: count(200),
        unavailable: count(503),
        others: others.map(({ status }) => String(status ?? "no answer")),
        /** Slowest 503, and slowest response of any kind, in milliseconds. */
        slowest503: slowest(answers.filter(({ status }) => status === 503)),
        slowest: slowest(answers),
      };
    },
  };
}

/** A client that saves a group again and again, and repeats refused saves. */
export function startSaver(origin: string) {
  let isGoingOn = true;
  let acknowledged = 0;
  let refused = 0;
  let last = -1;
  let waiting: { readonly since: number; readonly tell: (ms: number) => void } | null = null;
  const saving = save();
  return {
    /** Milliseconds until a save sent from now on is confirmed. */
    nextSave: () =>
      new Promise<number>((tell) => {
        waiting = { since: Date.now(), tell };
      }),
    /** Stops saving. Returns how many saves were stored, and how many refused or lost. */
    async end() {
      isGoingOn = false;
      await saving;
      return { acknowledged, refused };
    },
    /** Like `end`, and compares the stored data with the last confirmed save. */
    async stop() {
      await this.end();
      const answer = await fetch(`${origin}/api/v1/groups?environment=staging`);
      const { data } = (await answer.json()) as {
        readonly data: { readonly groups: readonly { readonly name: string; readonly description: string }[] };
      };
      const stored = data.groups.find(({ name }) => name === groupName)?.description;
      return { acknowledged, lost: Math.max(0, last - Number(stored?.replace("Number ", "") ?? -1)) };
    },
  };

  async function save() {
    while (isGoingOn) {
      const [from, number] = [Date.now(), written];
      const answer = await writeGroup(origin).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status !== 200) {
        refused++;
        await wait(50);
        continue;
      }
      acknowledged++;
      last = number;
      if (waiting === null || waiting.since > from) continue;
      waiting.tell(Date.now() - waiting.since);
      waiting = null;
    }
  }
}

const groupName = "Faults";
let written = 0;

/** Stores a group with new content each time, which creates a revision. */
export function writeGroup(origin: string): Promise<Response> {
  return post(`${origin}/api/v1/groups`, groupBody(groupName, { description: `Number ${written++}` }));
}

const slowest = (answers: readonly Answer[]) => Math.max(0, ...answers.map(({ from, to }) => to - from));
