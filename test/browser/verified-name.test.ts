import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, expectNoSidewaysScrolling, withConsole } from "@/test/support/browser";

/* The name that a proxy in front gives for a user it has authenticated. */

const behindProxy = { TRUST_PROXY_ADDRESSES: "127.0.0.0/8", AUTH_USER_HEADER: "X-Forwarded-User" };
const { open, server } = withConsole({ env: { ...basicAuth, ...behindProxy } });
const password = { "basic-auth-password": consolePassword };

async function readNewest(): Promise<any> {
  const answer = await fetch(`${server().origin}/api/v1/audit?limit=1`, { headers: password });
  return ((await answer.json()) as { data: { events: any[] } }).data.events[0];
}

/** What the server sends for a page when a proxy names these users, as bytes in UTF-8. */
function readPage(path: string, users: readonly string[]): Promise<string> {
  const names = users.map((user) => Buffer.from(user).toString("latin1"));
  return new Promise((resolve, reject) => {
    const headers = { ...password, "x-forwarded-user": names };
    httpRequest(server().origin + path, { headers }, (answer) => {
      resolve(text(answer));
    })
      .on("error", reject)
      .end();
  });
}

const looks = [
  ["light", 1280],
  ["dark", 1280],
  ["light", 390],
  ["dark", 390],
] as const;

it.each(looks)("is recorded and shown as verified, and no other is asked for, %s at %i px", async (theme, width) => {
  const { page, context, goto } = await open({ theme, width, signedIn: true });
  await context.setExtraHTTPHeaders({ "X-Forwarded-User": "kim@example.com" });
  await goto("/applications?state=all");
  await page.locator("[data-row-link]").first().click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const before = await readNewest();
  await page.getByRole("switch", { name: /^Administrator groups/ }).click();
  await page.locator("[data-sonner-toast]").first().waitFor();
  expect(await page.getByRole("link", { name: "Set a display name" }).count()).toBe(0);
  const event = await readNewest();
  expect(event.id).not.toBe(before?.id);
  expect(event).toMatchObject({ display_name: "kim@example.com", display_name_verified: true });

  await goto("/you#preferences");
  await page.getByRole("switch", { name: "Single-key shortcuts" }).waitFor();
  expect(await page.getByRole("textbox", { name: "Display name" }).count()).toBe(0);
  const identity = page.getByRole("region", { name: "Your identity" });
  expect(await identity.innerText()).toMatch(/kim@example\.com\s*Verified[^]*the proxy in front gives your name/);
  await expectNoViolations(page);
  await goto("/about");
  const line = page.getByRole("listitem").filter({ hasText: "Names of users:" });
  expect(await line.innerText()).toMatch(/Verified, from x-forwarded-user[\s\S]*OK/);
  await expectNoViolations(page);
  await expectNoSidewaysScrolling(page);
});

it("the sign-in asks for no name", async () => {
  const { page, context, goto } = await open();
  await goto("/login");
  expect(await page.getByRole("textbox", { name: /^Display name/ }).count()).toBe(1);
  await context.setExtraHTTPHeaders({ "X-Forwarded-User": "kim@example.com" });
  await goto("/login");
  expect(await page.getByRole("textbox", { name: /^Display name/ }).count()).toBe(0);
});

it("arrives as the proxy wrote it, and counts only when it came once", async () => {
  expect(await readPage("/about", ["Jörg 字"])).toContain("Jörg 字");
  const twice = await readPage("/about", ["Jörg 字", "Eve Mallory"]);
  expect(twice).toContain("Names of users");
  expect(twice).not.toMatch(/Jörg|Eve Mallory/);
});
