import { expect, it } from "vitest";
import { basicAuth, consolePassword, signIn, withConsole } from "@/test/support/browser";

const { open } = withConsole({ env: basicAuth });

it("leads back to the page that was asked for, and keeps no password where scripts can read", async () => {
  const { page, context, goto } = await open();
  await goto("/docs?from=a%26b");
  expect(new URL(page.url()).pathname).toBe("/login");
  await signIn(page);
  await page.waitForURL("**/docs?from=a%26b");
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  );
  expect(stored).not.toContain(consolePassword);
  // Beside it stands which notices were seen.
  expect((await context.cookies()).filter(({ name }) => name !== "hidden-notices")).toEqual([
    expect.objectContaining({ name: "next-auth.session-token", httpOnly: true, sameSite: "Lax" }),
  ]);
});

it("signs in without scripts, and says so when the password is wrong", async () => {
  const { page, context, goto, problems } = await open({ javaScript: false });
  problems.allow(/script/i);
  await goto("/docs?from=a%26b");
  await signIn(page, "wrong password");
  await page.getByRole("alert").filter({ hasText: "password is wrong" }).waitFor();
  expect(page.url()).not.toContain("wrong");
  expect(await context.cookies()).toEqual([]);
  await signIn(page);
  await page.waitForURL("**/docs?from=a%26b");
  await page.getByRole("heading", { level: 1 }).waitFor();
});
