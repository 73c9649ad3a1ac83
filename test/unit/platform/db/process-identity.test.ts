import { expect, it } from "vitest";
import { isGone, processIdentity } from "@/lib/platform/db/connection/process-identity";
import { startZombie } from "@/test/support/zombie";

const identityOf = (pid: number) => [...processIdentity.split(";").slice(0, 2), pid].join(";");

it("this process lives", () => expect(isGone(processIdentity)).toBe(false));

it.runIf(process.platform === "linux")(
  "finding C5: a zombie has ended, although its number is not free yet",
  async () => {
    const zombie = await startZombie();
    expect(() => process.kill(zombie.pid, 0)).not.toThrow();
    expect(isGone(identityOf(zombie.pid))).toBe(true);
    zombie.end();
  },
);
