import { createPrivateKey, X509Certificate } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import * as certificate from "@/app/api/v1/applications/certificate/route";
import * as applications from "@/app/api/v1/applications/route";
import { AppCertificateModel } from "@/models/app-certificate";
import { fetchQuery, send, storeApp } from "@/test/support/applications";
import { useAuthority } from "@/test/support/authority";
import { withEmptyDatabase } from "@/test/support/database";
import { useSettings } from "@/test/support/settings";
import { withTestAuthority } from "@/test/support/with-authority";

withEmptyDatabase();

const { authority, pair } = withTestAuthority();
let id = 0;
beforeEach(async () => {
  useAuthority(authority);
  id = await storeApp("app-1");
  const options = { app_uuid: "app-1", clientKey: pair.privateKey, certificate: pair.certificate };
  expect((await send(certificate.POST, { options })).status).toBe(200);
});

const find = async (query: string) => {
  const { status, data } = await fetchQuery(applications.GET, query);
  expect(status).toBe(200);
  return data.applications;
};
const members = (application: object) =>
  Object.keys(application).filter((name) => name === "certificate" || name === "private_key");

it("adds certificate and key as PEM when one app is selected by id or uuid (3.1)", async () => {
  for (const query of [`?id=${id}`, "?uuid=app-1", "?uuid=app-1&limit=10"]) {
    const [application] = await find(query);
    const shown = new X509Certificate(application.certificate);
    expect(shown.fingerprint256).toBe(new X509Certificate(pair.certificate).fingerprint256);
    expect(shown.checkPrivateKey(createPrivateKey(application.private_key))).toBe(true);
  }
});

it("adds nothing to a list, even of one element [Δ9]", async () => {
  for (const query of ["", "?approval_status=PENDING", "?limit=10", "?search=app"]) {
    const list = await find(query);
    expect(list).toHaveLength(1);
    expect(members(list[0])).toEqual([]);
  }
});

it("adds nothing to an app without a bundle, or while generation is off", async () => {
  await storeApp("app-2");
  expect(members((await find("?uuid=app-2"))[0])).toEqual([]);
  useSettings();
  expect(members((await find("?uuid=app-1"))[0])).toEqual([]);
});

it("leaves both out when the bundle does not open, and still answers", async () => {
  useAuthority(authority, { CERTIFICATE_PASSPHRASE: "another one" });
  expect(members((await find("?uuid=app-1"))[0])).toEqual([]);
  useAuthority(authority);
  await AppCertificateModel.updateOne({ _id: "app-1" }, { container: "AAAA" });
  expect(members((await find("?uuid=app-1"))[0])).toEqual([]);
});
