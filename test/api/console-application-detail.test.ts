import { beforeEach, describe, expect, it } from "vitest";
import { saveApproval } from "@/lib/apps/applications/approval";
import { findAddressedVersion, loadApplicationDetail } from "@/lib/apps/applications/console/detail-queries";
import { loadPolicySegments } from "@/lib/apps/applications/policy-segments";
import { actionBody } from "@/lib/apps/applications/schema";
import { saveAppCertificate } from "@/lib/certificates/commands";
import { loadAppCertificateState } from "@/lib/certificates/app/stored-bundle";
import { findServices } from "@/lib/policy/services";
import { setFlags, storeApp } from "@/test/support/applications";
import { createTestAuthority, testPassphrase, useAuthority } from "@/test/support/authority";
import { emptyDatabase, testContext, withDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { store, storeGroup } from "@/test/support/stored-records";
import { withTestAuthority } from "@/test/support/with-authority";

withDatabase();
beforeEach(async () => {
  useSettings();
  await emptyDatabase();
});

const decide = (id: number, status: string) =>
  saveApproval(testContext, actionBody.parse({ id, approval_status: status }));

describe("the address of an app", () => {
  it("is the id of a version, or a uuid in any case for the newest version", async () => {
    const old = await storeApp("App-1", "ACCEPTED");
    const id = await storeApp("App-1");
    expect(await findAddressedVersion(String(old))).toEqual({ id: old, isCanonical: true });
    expect(await findAddressedVersion("App-1")).toEqual({ id, isCanonical: false });
    expect(await findAddressedVersion("aPP-1")).toEqual({ id, isCanonical: false });
  });

  it("finds an app whose uuid looks like an id", async () => {
    const id = await storeApp("123456");
    expect(await findAddressedVersion("123456")).toEqual({ id, isCanonical: false });
  });

  it("is nothing for others", async () => {
    await storeApp("App-1");
    for (const address of ["0", "-1", "1.5", "99999999999999999999", "nobody", "", "a\u0000b", "$ne"])
      expect([address, await findAddressedVersion(address)]).toEqual([address, null]);
  });
});

describe("the page of a version", () => {
  it("is null for an unknown id", async () => expect(await loadApplicationDetail(4711)).toBeNull());

  it("A4: tells what vehicles get, since when, and what this version changes", async () => {
    const permissions = (...keys: string[]) => ({ permissions: keys.map((key) => ({ key, hmiLevel: "HMI_FULL" })) });
    const first = await storeApp("app-1", "STAGING", { developerVersion: "1.0", ...permissions("Show") });
    const before = Date.now();
    await decide(first, "ACCEPTED");
    const second = await storeApp("app-1", "STAGING", { developerVersion: "2.0", ...permissions("Show", "Alert") });
    const third = await storeApp("app-1", "PENDING", { developerVersion: "3.0", ...permissions("Alert", "Speak") });
    const detail = await loadApplicationDetail(third);
    expect(detail).toMatchObject({ state: "PENDING", production: first, staging: second });
    expect(detail?.versions.map(({ id, label }) => [id, label])).toEqual([
      [third, "v3.0"],
      [second, "v2.0"],
      [first, "v1.0"],
    ]);
    expect(Date.parse(detail?.acceptedAt ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(detail?.acceptedAt ?? "")).toBeLessThanOrEqual(Date.now());
    expect(detail?.baseline).toMatchObject({
      id: first,
      changes: [
        {
          title: "Permissions",
          changes: [{ name: "Alert at FULL" }, { name: "Speak at FULL" }, { name: "Show at FULL" }],
        },
        expect.anything(),
      ],
    });
  });

  it("has nothing to compare a first submission with, and no time for what nobody accepted", async () => {
    const id = await storeApp("app-1", "ACCEPTED");
    expect(await loadApplicationDetail(id)).toMatchObject({ production: id, acceptedAt: null, baseline: null });
  });

  it("serves nothing of a blocked app", async () => {
    const id = await storeApp("app-1", "ACCEPTED");
    await setFlags("app-1", { isBlacklisted: true });
    expect(await loadApplicationDetail(id)).toMatchObject({ state: "BLOCKED", production: null, staging: null });
  });

  it("offers the proprietary groups of production with the grants of this version", async () => {
    const id = await storeApp("app-1", "PENDING", { groupGrants: ["Oem"] });
    await store(async (tx) => {
      await storeGroup(tx, { name: "Oem", isProprietaryGroup: true, status: "PRODUCTION" });
      await storeGroup(tx, { name: "Staged", isProprietaryGroup: true });
      await storeGroup(tx, { name: "Base", status: "PRODUCTION" });
    });
    const detail = await loadApplicationDetail(id);
    expect(detail?.groups.map(({ property_name, is_selected }) => [property_name, is_selected])).toEqual([
      ["Oem", true],
    ]);
  });

  it("shows no policy while there is none", async () => {
    expect(findServices()).toBeNull();
    expect(await loadPolicySegments("app-1")).toBeNull();
  });
});

describe("the certificate of an app", () => {
  const { authority, pair } = withTestAuthority();

  it("names the settings that generation lacks, and nothing of what they hold", async () => {
    useSettings({ CERTIFICATE_PASSPHRASE: "hush hush" });
    const state = await loadAppCertificateState("app-1");
    expect(state).toEqual({
      kind: "off",
      missing: ["CA_PRIVATE_KEY_FILENAME", "CA_CERTIFICATE_FILENAME", "CERTIFICATE_COMMON_NAME"],
    });
    expect(JSON.stringify(state)).not.toContain("hush");
  });

  it("tells of an authority that cannot be used", async () => {
    useAuthority({ ...authority, caCertificatePath: createTestAuthority().caCertificatePath });
    expect(await loadAppCertificateState("app-1")).toEqual({ kind: "unusable" });
  });

  it("describes what is stored, without the private key", async () => {
    useAuthority(authority);
    await storeApp("app-1");
    expect(await loadAppCertificateState("app-1")).toEqual({ kind: "ready", stored: null });
    const { certificate, privateKey } = pair;
    await saveAppCertificate({ appUuid: "app-1", certificate, clientKey: privateKey }, testContext);
    const state = await loadAppCertificateState("app-1");
    expect(state).toMatchObject({
      kind: "ready",
      stored: { subject: expect.stringContaining("CN=leaf"), issuer: expect.stringContaining("Test Authority") },
    });
    const text = JSON.stringify(state);
    expect(text).not.toContain("PRIVATE KEY");
    expect(text).not.toContain(testPassphrase);
  });
});
