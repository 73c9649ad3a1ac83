import { afterAll, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, withConsole } from "@/test/support/browser";
import { startSignInProxy } from "@/test/support/sign-in-proxy";

/* People whom a proxy in front signs in, with their roles (`people.md` P6). */

const proxy = await startSignInProxy(() => server().origin);
afterAll(() => proxy.close());
const env = {
  ...basicAuth,
  ...{ TRUST_PROXY_ADDRESSES: "127.0.0.0/8", AUTH_USER_HEADER: "Remote-User", AUTH_ROLES_HEADER: "Remote-Groups" },
  OIDC_ROLES: "viewer=staff;editor=policy-team",
};
const { open, server } = withConsole({ env, others: [proxy.origin] });
const pathOf = (url: string) => new URL(url).pathname;

it("finding A5: the console is open to them, with their role, without a sign-in page", async () => {
  const name = Buffer.from("Jörg 字").toString("latin1");
  proxy.name({ "remote-user": name, "remote-groups": "staff;policy-team" });
  const { page, goto } = await open();
  expect(await goto(`${proxy.origin}/`)).toBe(200);
  expect(pathOf(page.url())).toBe("/");
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Jörg 字 editor" }).click();
  await page.getByRole("region", { name: "Your identity" }).getByText("Verified", { exact: true }).waitFor();
  await expectNoViolations(page);
  await page.getByRole("link", { name: "Functional groups" }).first().click();
  await page.getByRole("heading", { name: "Functional groups", level: 1 }).waitFor();
  await goto(`${proxy.origin}/login?redirect=%2Fabout`);
  expect(pathOf(page.url())).toBe("/about");
});

it("finding A5, P3: a page tells somebody without a role so, by name, and what to ask for", async () => {
  proxy.name({ "remote-user": "Olga Other", "remote-groups": "visitors" });
  const { page, goto } = await open();
  await goto(`${proxy.origin}/functionalgroups`);
  await page.getByRole("heading", { name: "No access to the policy server" }).waitFor();
  await page.getByText("Olga Other has no role on this server").waitFor();
  await page.getByText("policy-team (editor)").waitFor();
  expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
  await expectNoViolations(page);
  proxy.name({ "remote-user": "Olga Other", "remote-groups": "staff" });
  await page.reload();
  await page.getByRole("heading", { name: "Functional groups", level: 1 }).waitFor();
});
