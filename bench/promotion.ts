import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import type { Measured } from "@/test/support/processes";
import { groupBody, groupId, post, send, textOf } from "@/bench/calls";
import type { Report } from "@/bench/report";
import { vehicleRequests } from "@/bench/requests";

const route = "/api/v1/production/policy";

interface Sample {
  readonly at: number;
  readonly milliseconds: number;
}

/** Publishes a functional group while vehicles send requests. None may fail, and the new revision must be served soon. */
export async function measurePromotion({
  report,
  server,
  seconds,
}: {
  readonly report: Report;
  readonly server: Measured;
  readonly seconds: number;
}): Promise<void> {
  const samples: Sample[] = [];
  const bodies = vehicleRequests(10, 10_000);
  const [body = ""] = bodies;
  const load = new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url: server.origin + route,
      method: "POST",
      headers: { "content-type": "application/json", "accept-encoding": "gzip" },
      requests: bodies.map((one) => ({ body: one })),
      connections: 20,
      duration: seconds * 3 + 4,
    };
    const running = autocannon(options, (error: unknown, result) => {
      if (error) reject(new Error("the load could not be made", { cause: error }));
      else resolve(result);
    });
    running.on("response", (_client, _status, _bytes, milliseconds) => {
      samples.push({ at: performance.now(), milliseconds });
    });
  });

  await wait(seconds * 1000 + 1000);
  const name = `Bench ${Date.now()}`;
  await send(`${server.origin}/api/v1/groups`, groupBody(name));
  const id = await groupId(server.origin, name);
  const promotedAt = performance.now();
  await send(`${server.origin}/api/v1/groups/promote`, { id });
  let servedAfter = Number.POSITIVE_INFINITY;
  while (servedAfter === Number.POSITIVE_INFINITY && performance.now() - promotedAt < 10_000) {
    const table = await textOf(post(server.origin + route, JSON.parse(body) as object));
    if (table.includes(JSON.stringify(name))) servedAfter = performance.now() - promotedAt;
    else await wait(50);
  }
  const result = await load;
  const before = samples.filter(({ at }) => at < promotedAt - 500);
  const during = samples.filter(({ at }) => at >= promotedAt - 500 && at <= promotedAt + 2_000);
  report.must(
    "failed requests while a group is published under load",
    result.non2xx + result.errors + result.timeouts,
    "≤",
    0,
  );
  report.must("publication to served table", servedAfter / 1000, "≤", 2, "s");
  report.must("p99 around the publication against p99 before", p99(during) / p99(before), "≤", 3, "×");
}

function p99(samples: readonly Sample[]): number {
  const sorted = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
