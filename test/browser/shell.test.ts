import { describe, expect, it } from "vitest";
import { expectNoViolations } from "@/test/support/axe";
import { basicAuth, consolePassword, hasFocus, signIn, tabTo, withConsole } from "@/test/support/browser";
import { settle } from "@/test/support/settle";

/* The not-found page stands for all pages: it has the shell and nothing of its own in the way. */

const { open } = withConsole({ env: basicAuth });
const nowhere = "/nothing-here";
const notFound = /404/;
/** Next draws what is not found only in the browser; for what the server draws, any other page. */
const somewhere = "/policytable";

it("an address without a page: is answered with 404 inside of the shell, with ways on", async () => {
  const { page, goto, problems } = await open({ signedIn: true });
  problems.allow(notFound);
  expect(await goto(nowhere)).toBe(404);
  await page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  expect(await page.getByRole("navigation", { name: "Sections" }).getByRole("link").count()).toBeGreaterThan(6);
  await page.getByRole("searchbox", { name: "Search applications" }).fill("road");
  await expectNoViolations(page);
});

it("a step to a page that is slow: shows the shape of the page until it is there", async () => {
  const { page, goto } = await open({ signedIn: true });
  await goto("/policytable");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/releases\?/, (route) => released.then(() => route.continue()));
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Releases" }).click();
  await page.getByText("Loading the page…").waitFor();
  release();
  await page.getByRole("heading", { level: 1, name: "Releases" }).waitFor();
  expect(await page.getByText("Loading the page…").count()).toBe(0);
});

it("theme: follows the system until one is chosen, and keeps the choice, also across tabs", async () => {
  const { page, context, goto } = await open({ signedIn: true, theme: "light" });
  await goto(somewhere);
  const groundOf = (one = page) => one.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await groundOf();
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect.poll(() => groundOf()).not.toBe(light);
  const dark = await groundOf();

  const other = await context.newPage();
  // What is painted first: before scripts of the page other than the one that sets the theme have run.
  await other.route("**/_next/static/**/*.js", (route) => route.abort());
  const firstPaint = async () => {
    await other.goto(somewhere);
    return groundOf(other);
  };
  // Browsers take a moment to share what one tab has stored.
  await expect.poll(firstPaint).toBe(dark);
  await other.close();
});

it("layers that are fetched when the reader acts: names an icon on hover and on focus, until Escape", async () => {
  const { page, goto, problems } = await open({ signedIn: true });
  problems.allow(notFound);
  await goto(nowhere);
  const words = page.getByText("Theme", { exact: true });
  await page.getByRole("button", { name: "Theme" }).hover();
  await words.waitFor();
  await page.keyboard.press("Escape");
  await words.waitFor({ state: "detached" });
  await page.mouse.move(0, 400);
  await tabTo(page, page.getByRole("button", { name: "Theme" }));
  await words.waitFor();
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).waitFor();
  await expectNoViolations(page);
});

it("on a phone: folds the sections into a menu, which a tap opens and a choice closes", async () => {
  const { page, goto, problems } = await open({ signedIn: true, width: 390 });
  problems.allow(notFound);
  await goto(nowhere);
  expect(await page.getByRole("navigation", { name: "Sections" }).count()).toBe(0);
  const button = page.getByRole("button", { name: "Sections" });
  await button.click();
  const panel = page.getByRole("dialog", { name: "Policy Server" });
  await panel.waitFor();
  await expectNoViolations(page);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(await hasFocus(button)).toBe(true);
  await button.click();
  await panel.getByRole("link", { name: "About" }).click();
  await page.waitForURL("**/about");
  await panel.waitFor({ state: "detached" });
});

it("skip link: is the first stop of the Tab key, appears there, and leads to the content", async () => {
  const { page, goto, problems } = await open({ signedIn: true });
  problems.allow(notFound);
  await goto(nowhere);
  await page.keyboard.press("Tab");
  const link = page.getByRole("link", { name: "Skip to content" });
  expect(await hasFocus(link)).toBe(true);
  expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("Enter");
  expect(await hasFocus(page.getByRole("main"))).toBe(true);
});

describe("without a connection", () => {
  it("nothing can be changed, and what is off says why", async () => {
    const { page, context, goto, problems } = await open({ signedIn: true });
    problems.allow(/ERR_INTERNET_DISCONNECTED/);
    await goto("/applications?state=all");
    await page.getByRole("link", { name: "Wayfold Navigation" }).first().click();
    await page.waitForURL(/\/applications\/\d+/);
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    const flag = page.getByRole("switch", { name: /^Administrator groups/ });
    await flag.waitFor();
    const wasOn = await flag.isChecked();
    await context.setOffline(true);
    await page.getByText(/^No connection\./).waitFor();
    expect(await flag.isDisabled()).toBe(true);
    expect(await page.getByText("Not available without a connection to the server").count()).toBeGreaterThan(0);
    for (const button of await page.locator("#decision").getByRole("button").all()) {
      expect(await button.getAttribute("aria-disabled")).toBe("true");
    }
    for (const key of ["1", "2", "3"]) await page.keyboard.press(key);
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    await expectNoViolations(page);
    await context.setOffline(false);
    await expect.poll(() => flag.isEnabled()).toBe(true);
    expect(await flag.isChecked()).toBe(wasOn);
  });

  it("finding E3: a link leads nowhere instead of to the browser's own error page", async () => {
    const { page, context, goto, problems } = await open({ signedIn: true });
    problems.allow(/ERR_INTERNET_DISCONNECTED/);
    await goto("/applications?state=all");
    // What acting readers need is loaded when they begin to act.
    await page.getByRole("searchbox").click();
    await settle(page);
    await context.setOffline(true);
    await page.getByText(/^No connection\. You see/).waitFor();
    const { href } = new URL(page.url());
    await page.getByRole("navigation").getByRole("link", { name: "About" }).first().click();
    await page.getByText(/You cannot open other pages/).waitFor();
    expect(page.url()).toBe(href);
    await context.setOffline(false);
    await page.getByText(/^No connection\. You see/).waitFor({ state: "detached" });
    await page.getByRole("navigation").getByRole("link", { name: "About" }).first().click();
    await page.waitForURL(/\/about/);
  });
});

it("sign-out: ends the session in all tabs", async () => {
  const { page, context, goto, problems } = await open({ signedIn: true });
  problems.allow(notFound);
  await goto("/moduleconfig");
  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "About" }).click();
  await page.waitForURL("**/about");
  const other = await context.newPage();
  await other.goto(nowhere);
  await page.getByRole("link", { name: "admin", exact: true }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/login**");
  await other.waitForURL("**/login**");
  // Nothing of the page before comes back without a session.
  await page.evaluate(() => {
    history.back();
  });
  await page.waitForURL(/\/login\?.*%2Fabout/);
  await page.getByLabel("Password", { exact: true }).waitFor();
  await signIn(page, consolePassword);
  await page.waitForURL((url) => url.pathname !== "/login");
});

it("7: a session that ends while something is edited: brings the draft back when the reader has to sign in first", async () => {
  const { page, context, goto, problems } = await open({ signedIn: true });
  problems.allow(/401/);
  await goto("/moduleconfig");
  await page.getByLabel("Timeout", { exact: true }).fill("52");
  await context.clearCookies();
  page.once("dialog", (question) => void question.accept());
  await page.reload();
  await page.waitForURL(/\/login\?.*moduleconfig/);
  await signIn(page, consolePassword);
  await page.waitForURL("**/moduleconfig");
  await page.getByText("Unsaved changes restored").waitFor();
  expect(await page.getByLabel("Timeout", { exact: true }).inputValue()).toBe("52");
});
