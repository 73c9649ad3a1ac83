import { afterEach, describe, expect, it } from "vitest";
import { measureBeside } from "@/bench/faults/beside";
import { measureChildKills } from "@/bench/faults/child-kills";
import { measureDatabaseFlaps } from "@/bench/faults/database-flaps";
import { measureFirstCar } from "@/bench/faults/first-car";
import { measureFullDisks } from "@/bench/faults/full-disks";
import { measureVehicleWorkerKills } from "@/bench/faults/worker-kills";
import { measureMemory } from "@/bench/faults/memory";
import { measureRollingRestart, measureShippedProxies } from "@/bench/faults/rolling-restart";
import { measureSlowSenders } from "@/bench/faults/slow-senders";
import { endAll } from "@/bench/faults/stage";
import { Report } from "@/bench/report";
import { daily, isWhole, runs } from "@/test/support/extent";
import { shippedProxies } from "@/test/support/shipped-proxy";

/* The fault bench with a few rounds of each row: what fails and what comes back, not how long anything takes. */

const row = () => ({ report: new Report(), isShort: true });

afterEach(endAll);

describe("vehicles notice nothing", () => {
  daily(
    "N2, N3, N10: beside clients on /login, administration reads, a sync and a directory that answers 18 MB",
    async () => {
      expect(await measureBeside(row())).toMatchObject({ failed: 0 });
    },
  );

  daily("N2: under mixed load, from a vehicle worker and a console of their own", async () => {
    const { failed, vehicleWorkers, all, writes } = await measureMemory(row());
    expect(failed).toBe(0);
    expect(writes).toBeGreaterThan(0);
    expect(vehicleWorkers).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(vehicleWorkers);
  });

  it("N3, N4, N20: while console and database are ended by force or stopped in the middle of saves, of which none is lost", async () => {
    const rounds = { kills: runs(3), stops: 1 };
    const recovered = 2 * (rounds.kills + rounds.stops);
    expect(await measureChildKills({ ...row(), ...rounds })).toEqual({ failed: 0, lost: 0, recovered });
  });

  daily("N4: while the database comes and goes, and everything works again", async () => {
    const { unavailable, ...others } = await measureDatabaseFlaps(row());
    expect(others).toEqual({ failed: 0, stuck: 0, others: 0 });
    expect(unavailable).toBeGreaterThan(0);
  });

  daily("N9: beside 1,000 slow senders, when their own bodies come late", async () => {
    const { failed, sent } = await measureSlowSenders(row());
    expect(failed).toBe(0);
    expect(sent).toBeGreaterThan(0);
  });

  daily("N12: of instances that are stopped behind a proxy that follows readiness", async () => {
    expect(await measureRollingRestart(row())).toEqual({ failed: 0, forced: 0 });
  });

  it.runIf(isWhole && shippedProxies.length > 0)(
    "O2, N3, F4: of instances that are stopped and killed behind the proxies of compose; nor does a save, of one that is stopped",
    async () => {
      const lost = shippedProxies.map(({ name }) => ({ proxy: name, failed: 0, refused: 0 }));
      expect(await measureShippedProxies(row())).toEqual({ forced: 0, lost });
    },
  );

  daily("N13: of a full disk under the log or the data, and of a log that nobody reads", async () => {
    const { failed, unfinished, written, scenes } = await measureFullDisks(row());
    expect({ failed, unfinished }).toEqual({ failed: 0, unfinished: 0 });
    // Without the right to mount a disk, the reader of the log is the only scene.
    expect(written).toBe(scenes === 1 ? 1 : 2);
  });
});

daily("N2: a vehicle worker that is ended by force loses what it held and nothing else", async () => {
  const { failed, failedElsewhere, held } = await measureVehicleWorkerKills(row());
  expect(failedElsewhere).toBe(0);
  expect(failed).toBeLessThanOrEqual(held);
});

daily("N2: a second start answers the first vehicle from the policy on disk", async () => {
  expect((await measureFirstCar(row())).milliseconds).toBeGreaterThan(0);
});
