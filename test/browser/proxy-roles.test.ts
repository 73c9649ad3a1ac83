import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, withConsole } from "@/test/support/browser";

/* People whom a proxy in front signs in, with their roles (`people.md` P6). */

/** The headers with which the proxy names somebody from the next request on. */
let named: Readonly<Record<string, string>> = {};
/** Forwards everything and keeps the browser's `Host`. */
const proxy = createServer((request, response) => {
  const headers = { ...request.headers, ...named };
  const to = new URL(request.url ?? "/", server().origin);
  const passed = httpRequest(to, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on("error", () => response.destroy());
  request.pipe(passed);
});
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
const proxyOrigin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
afterAll(() => {
  proxy.close();
  proxy.closeAllConnections();
});
const env = {
  ...basicAuth,
  ...{ TRUST_PROXY_ADDRESSES: "127.0.0.0/8", AUTH_USER_HEADER: "Remote-User", AUTH_ROLES_HEADER: "Remote-Groups" },
  OIDC_ROLES: "viewer=staff;editor=policy-team",
};
const { open, server } = withConsole({ env, others: [proxyOrigin] });
const pathOf = (url: string) => new URL(url).pathname;

it("finding A5: the console is open to them, with their role, without a sign-in page", async () => {
  const name = Buffer.from("Jörg 字").toString("latin1");
  named = { "remote-user": name, "remote-groups": "staff;policy-team" };
  const { page, goto } = await open();
  expect(await goto(`${proxyOrigin}/`)).toBe(200);
  expect(pathOf(page.url())).toBe("/");
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Jörg 字 editor" }).click();
  await page.getByRole("region", { name: "Your identity" }).getByText("Verified", { exact: true }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Functional groups" }).first().click();
  await page.getByRole("heading", { name: "Functional groups", level: 1 }).waitFor();
  await goto(`${proxyOrigin}/login?redirect=%2Fabout`);
  expect(pathOf(page.url())).toBe("/about");
});

it("finding A5, P3: a page tells somebody without a role so, by name, and what to ask for", async () => {
  named = { "remote-user": "Olga Other", "remote-groups": "visitors" };
  const { page, goto } = await open();
  await goto(`${proxyOrigin}/functionalgroups`);
  await page.getByRole("heading", { name: "No access to the policy server" }).waitFor();
  await page.getByText("Olga Other has no role on this server").waitFor();
  await page.getByText("policy-team (editor)").waitFor();
  expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
  await expectNoViolations(page);
  named = { "remote-user": "Olga Other", "remote-groups": "staff" };
  await page.reload();
  await page.getByRole("heading", { name: "Functional groups", level: 1 }).waitFor();
});
