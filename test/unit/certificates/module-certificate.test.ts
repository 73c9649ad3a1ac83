import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { containerKey, ContainerAwaited, ModuleContainers } from "@/lib/certificates/module/module-containers";
import { packOnce } from "@/lib/certificates/module/pack-containers";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { aModuleConfig, aSnapshot, inBothViews } from "@/test/support/builders";
import { forgetSettings, generationEnv, useSettings } from "@/test/support/settings";

forgetSettings();

const certified = aSnapshot({ moduleConfigs: inBothViews(aModuleConfig({ certificate: "CERT", privateKey: "KEY" })) });
const nothing = { staging: null, production: null };
const pack = vi.fn(() => Promise.resolve("container"));

function useGeneration(asContainer: boolean) {
  useSettings({ ...generationEnv(randomUUID()), MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: String(asContainer) });
  return loadSettings();
}
beforeEach(() => pack.mockReset().mockImplementation(() => Promise.resolve("container")));
afterEach(() => vi.restoreAllMocks());

describe("the certificate of a module config (rule M10)", () => {
  it("is left out while generation is off", async () => {
    useSettings();
    const { certificates } = await buildPolicyOptions(certified, loadSettings(), pack);
    expect(certificates).toEqual(nothing);
  });

  it("is left out when one of the two is missing", async () => {
    const moduleConfigs = inBothViews(aModuleConfig({ certificate: "CERT" }));
    const { certificates } = await buildPolicyOptions(aSnapshot({ moduleConfigs }), useGeneration(true), pack);
    expect(certificates).toEqual(nothing);
    expect(pack).not.toHaveBeenCalled();
  });

  it("is the text of both, joined by a line break", async () => {
    const { certificates } = await buildPolicyOptions(certified, useGeneration(false), pack);
    expect(certificates).toEqual({ staging: "CERT\nKEY", production: "CERT\nKEY" });
    expect(pack).not.toHaveBeenCalled();
  });

  it("is a container that is packed once and keeps its bytes (rule G6)", async () => {
    const settings = useGeneration(true);
    const publish = vi.fn();
    const packing = packOnce(new ModuleContainers(), publish, pack);
    for (let revision = 0; revision < 3; revision += 1) {
      const { certificates } = await buildPolicyOptions(certified, settings, packing);
      expect(certificates).toEqual({ staging: "container", production: "container" });
    }
    expect(pack).toHaveBeenCalledTimes(1);
    expect(publish.mock.calls).toEqual([[{ [expectedKey()]: "container" }]]);
  });

  it("is left out, never sent in plain text, when it cannot be packed; and tried again", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const settings = useGeneration(true);
    const publish = vi.fn();
    const packing = packOnce(new ModuleContainers(), publish, pack);
    pack.mockImplementation(() => Promise.reject(new Error("no")));
    expect((await buildPolicyOptions(certified, settings, packing)).certificates).toEqual(nothing);
    expect(logged).toHaveBeenCalledTimes(2);
    expect(publish).toHaveBeenLastCalledWith({ [expectedKey()]: null });
    pack.mockImplementation(() => Promise.resolve("container"));
    expect((await buildPolicyOptions(certified, settings, packing)).certificates.production).toBe("container");
    expect(publish).toHaveBeenLastCalledWith({ [expectedKey()]: "container" });
  });

  it("is not left out where another process is still to pack it", async () => {
    const awaiting = () => Promise.reject(new ContainerAwaited());
    await expect(buildPolicyOptions(certified, useGeneration(true), awaiting)).rejects.toThrow(ContainerAwaited);
  });

  function expectedKey() {
    const { certificateGeneration } = loadSettings();
    const passphrase = certificateGeneration.enabled ? certificateGeneration.passphrase : "";
    return containerKey({ certificate: "CERT", privateKey: "KEY", passphrase });
  }
});

describe("containers that a process knows (rule G6)", () => {
  const pair = { certificate: "CERT", privateKey: "KEY", passphrase: "correct horse" };

  it("are named by everything they are made from, and the name tells nothing of it", () => {
    const others = [
      { ...pair, certificate: "CERTK", privateKey: "EY" },
      { ...pair, privateKey: "KEY2" },
      { ...pair, passphrase: "battery staple" },
    ];
    const keys = [pair, ...others].map(containerKey);
    expect(new Set(keys).size).toBe(4);
    expect(containerKey(pair)).toBe(keys[0]);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it("keep the bytes that were known first; one that could not be packed gives way", () => {
    const containers = new ModuleContainers();
    containers.addAll({ a: null, b: "first" });
    containers.addAll({ a: "packed", b: "second" });
    containers.addAll({ a: null, b: null });
    expect(containers.toRecord()).toEqual({ a: "packed", b: "first" });
    expect(containers.get("c")).toBeUndefined();
  });

  it("are forgotten when many others were asked for since", () => {
    const containers = new ModuleContainers();
    containers.add("used", "in use");
    for (let at = 0; at < 100; at += 1) {
      containers.add(`other ${at}`, "x");
      containers.get("used");
    }
    expect(containers.get("used")).toBe("in use");
    expect(containers.get("other 0")).toBeUndefined();
    expect(Object.keys(containers.toRecord())).toHaveLength(16);
  });

  it("that became known during a packing are served in place of the packed one", async () => {
    const containers = new ModuleContainers();
    const packing = packOnce(containers, undefined, () => {
      containers.addAll({ [containerKey(pair)]: "of main" });
      return Promise.resolve("own");
    });
    expect(await packing(pair)).toBe("of main");
  });
});
