import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  findAnsweringProvider,
  findProvider,
  forgetProvider,
  isProviderDown,
} from "@/lib/platform/auth/people/provider";
import { log } from "@/lib/platform/log";
import { endStubs, serveHttp, type StubAnswer } from "@/test/support/http-stub";
import { peopleSettings } from "@/test/support/sessions";
import { forgetSettings, useSettings } from "@/test/support/settings";

/* What the identity provider says of itself (`people.md` P2, P5). */

forgetSettings();
endStubs();
beforeEach(() => {
  vi.spyOn(log, "warn").mockReturnValue();
  forgetProvider();
});
afterEach(forgetProvider);

const [second, hour] = [1000, 60 * 60 * 1000];

async function startProvider() {
  const says: { status: number; issuer: string | null; tokenEndpoint?: string } = { status: 200, issuer: null };
  const stub = await serveHttp((): StubAnswer => {
    const issuer = says.issuer ?? stub.url;
    const body = {
      issuer,
      authorization_endpoint: `${stub.url}/authorize`,
      token_endpoint: says.tokenEndpoint ?? `${stub.url}/token`,
    };
    return { status: says.status, body };
  });
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- no hook of React
  useSettings({ ...peopleSettings, OIDC_ISSUER: stub.url });
  return { says, stub };
}

it("is asked once an hour", async () => {
  const { stub } = await startProvider();
  const first = await findProvider(0);
  expect(await findProvider(hour - 1)).toBe(first);
  expect(stub.seen).toHaveLength(1);
  expect(await findProvider(hour)).not.toBe(first);
  expect(stub.seen).toHaveLength(2);
});

it("is believed as an hour ago while it is down, but not when it says what must not be believed", async () => {
  const { says } = await startProvider();
  const first = await findProvider(0);
  says.status = 503;
  expect(await findProvider(hour)).toBe(first);
  Object.assign(says, { status: 200, issuer: "https://somebody.example" });
  await expect(findProvider(hour)).rejects.toThrow("another issuer");
});

it.each(["http://login.example/token", "token"])("is refused when it wants secrets sent to %s", async (address) => {
  const { says } = await startProvider();
  says.tokenEndpoint = address;
  await expect(findProvider(0)).rejects.toThrow("The provider names an address that is not https");
});

it("is asked again for somebody who is sent there, at most once a second", async () => {
  const { says, stub } = await startProvider();
  await findAnsweringProvider(0);
  await findAnsweringProvider(second - 1);
  expect(stub.seen).toHaveLength(1);
  says.status = 503;
  await expect(findAnsweringProvider(second)).rejects.toThrow("503");
});

it("P5: is down when it does not answer in time or cannot be reached, not when it refuses", () => {
  const reset = Object.assign(new Error("read failed"), { code: "ECONNRESET" });
  const ofCode = Object.assign(new Error("refused"), { code: "invalid_grant" });
  expect([new Error("outgoing request timed out after 5000ms"), reset].map(isProviderDown)).toEqual([true, true]);
  expect([new Error("invalid token"), ofCode, "timed out"].map(isProviderDown)).toEqual([false, false, false]);
});
