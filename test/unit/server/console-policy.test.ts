import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { containerKey, type Containers } from "@/lib/certificates/module/module-containers";
import { announceRevision } from "@/lib/platform/db/revision";
import type { PolicySource } from "@/lib/policy/policy-source";
import { createConsolePolicy } from "@/server/install-services";
import { loadSettings } from "@/lib/platform/settings";
import { aModuleConfig, aSnapshot, inBothViews } from "@/test/support/builders";
import { FakeSource, timeout, seenOf } from "@/test/support/fake-policy-source";
import { mainTells, playMain, toldMain } from "@/test/support/main-process";
import { forgetSettings, generationEnv, useSettings } from "@/test/support/settings";

const pack = vi.fn<(kind: string) => Promise<any>>();
playMain();
forgetSettings();

let key = "";
const pair = { certificate: "CERT", privateKey: "KEY" };
beforeEach(() => {
  vi.spyOn(certificateWorker(), "run").mockImplementation(pack);
  pack.mockReset().mockImplementation(() => Promise.resolve(`packed ${randomUUID()}`));
  const passphrase = randomUUID();
  key = containerKey({ ...pair, passphrase });
  useSettings({ ...generationEnv(passphrase), MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: "true" });
});

class KeepingSource extends FakeSource {
  readonly kept: Containers[] = [];
  override async save(...[snapshot, , containers = {}]: Parameters<NonNullable<PolicySource["save"]>>): Promise<void> {
    await super.save(snapshot);
    this.saved = { ...snapshot, containers };
    this.kept.push(containers);
  }
}

function aConsole(source: FakeSource) {
  const runtime = createConsolePolicy({ settings: loadSettings(), source });
  onTestFinished(() => runtime.stop());
  runtime.start();
  return { runtime, ...seenOf(runtime) };
}
const certified = () => inBothViews(aModuleConfig(pair));

describe("N2: what the console tells main", () => {
  it("every revision, its own at once and those of other instances when it sees them", async () => {
    const source = new FakeSource();
    const { reaches } = aConsole(source);
    await reaches("ready", 1);
    expect(toldMain("committed")).toEqual([{ kind: "committed", revision: 1 }]);
    announceRevision(2);
    expect(toldMain("committed")).toHaveLength(2);
    source.commit();
    source.commit();
    await reaches("ready", 3);
    expect(toldMain("committed").map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  it("once that the database takes no writes, and that it does", async () => {
    const source = new FakeSource();
    const { reaches } = aConsole(source);
    await reaches("ready", 1);
    source.refusal = "The disk is full.";
    await reaches("degraded", 1);
    source.refusal = null;
    await reaches("ready", 1);
    expect(toldMain("writes").map(({ refusal }) => refusal)).toEqual([null, "The disk is full.", null]);
  });

  it("the containers that it packs", async () => {
    const source = new KeepingSource();
    source.commit({ moduleConfigs: certified() });
    const { reaches, answer } = aConsole(source);
    await reaches("ready", 2);
    const containers = toldMain("containers")[0]?.containers ?? {};
    expect(Object.keys(containers)).toEqual([key]);
    expect(answer()).toContain(JSON.stringify(containers[key]));
    await expect.poll(() => source.kept, timeout).toEqual([containers]);
  });
});

describe("G6: a container keeps its bytes", () => {
  it.each([
    ["over restarts, from the snapshot on disk", true],
    ["when only main still knows it", false],
  ])("%s", async (_, isOnDisk) => {
    const source = new FakeSource();
    source.commit({ moduleConfigs: certified() });
    const containers = { [key]: "KEPT" };
    if (isOnDisk) source.saved = { ...source.snapshot, containers };
    const { reaches, answer } = aConsole(source);
    if (!isOnDisk) mainTells({ kind: "containers", containers });
    await reaches("ready", 2);
    expect(answer()).toContain('"certificate":"KEPT"');
    expect(pack).not.toHaveBeenCalled();
  });

  it("is kept on disk also where the snapshot of its revision is there already", async () => {
    const source = new KeepingSource();
    source.snapshot = aSnapshot({ moduleConfigs: certified(), revision: 5 });
    source.saved = { ...source.snapshot, origin: { databaseId: null, confirmedAt: null }, containers: {} };
    const { reaches } = aConsole(source);
    await reaches("ready", 5);
    await expect.poll(() => source.kept.map((kept) => Object.keys(kept)), timeout).toEqual([[key]]);
  });
});

it("G9: findings are the console's", async () => {
  const { runtime, reaches } = aConsole(new FakeSource());
  await reaches("ready", 1);
  const text = JSON.stringify({ groups: [] }).slice(0, -1);
  expect(runtime.inspectEntry("production", "an-app", text).map(({ severity }) => severity)).toContain("refused");
});
