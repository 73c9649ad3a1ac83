import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildPolicyOptions } from "@/lib/policy/policy-options";
import { log } from "@/lib/log";
import { loadSettings } from "@/lib/settings";
import { aModuleConfig, aSnapshot, inBothViews } from "@/test/support/builders";
import { forgetSettings, useSettings } from "@/test/support/settings";

forgetSettings();

const certified = inBothViews(aModuleConfig({ certificate: "CERT", privateKey: "KEY" }));
const pack = vi.fn(() => Promise.resolve("container"));

/** With a passphrase of its own, so that no container of the test before is still known. */
function useGeneration(asContainer: boolean) {
  useSettings({
    CA_PRIVATE_KEY_FILENAME: "ca.key",
    CA_CERTIFICATE_FILENAME: "ca.crt",
    CERTIFICATE_PASSPHRASE: randomUUID(),
    CERTIFICATE_COMMON_NAME: "x",
    MODULE_CONFIG_ENCRYPT_CERT_BUNDLE: String(asContainer),
  });
  return loadSettings();
}
beforeEach(() => pack.mockClear());
afterEach(() => vi.restoreAllMocks());

describe("the certificate of a module config (rule M10)", () => {
  it("is left out while generation is off", async () => {
    useSettings();
    const { certificates } = await buildPolicyOptions(aSnapshot({ moduleConfigs: certified }), loadSettings(), pack);
    expect(certificates).toEqual({ staging: null, production: null });
  });

  it("is left out when one of the two is missing", async () => {
    const moduleConfigs = inBothViews(aModuleConfig({ certificate: "CERT" }));
    const { certificates } = await buildPolicyOptions(aSnapshot({ moduleConfigs }), useGeneration(true), pack);
    expect(certificates).toEqual({ staging: null, production: null });
    expect(pack).not.toHaveBeenCalled();
  });

  it("is the text of both, joined by a line break", async () => {
    const { certificates } = await buildPolicyOptions(
      aSnapshot({ moduleConfigs: certified }),
      useGeneration(false),
      pack,
    );
    expect(certificates).toEqual({ staging: "CERT\nKEY", production: "CERT\nKEY" });
  });

  it("is a container that is packed once and keeps its bytes (rule G6)", async () => {
    const settings = useGeneration(true);
    for (let revision = 0; revision < 3; revision += 1) {
      const { certificates } = await buildPolicyOptions(aSnapshot({ moduleConfigs: certified }), settings, pack);
      expect(certificates).toEqual({ staging: "container", production: "container" });
    }
    expect(pack).toHaveBeenCalledTimes(1);
  });

  it("is left out, never sent in plain text, when it cannot be packed; and tried again", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const settings = useGeneration(true);
    const snapshot = aSnapshot({ moduleConfigs: certified });
    const failing = () => Promise.reject(new Error("no"));
    expect((await buildPolicyOptions(snapshot, settings, failing)).certificates).toEqual({
      staging: null,
      production: null,
    });
    expect(logged).toHaveBeenCalledTimes(2);
    expect((await buildPolicyOptions(snapshot, settings, pack)).certificates.production).toBe("container");
  });
});
