import { mkdirSync, rmSync } from "node:fs";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "@/test/support/chromium";
import { PageProblems } from "@/test/support/page-problems";
import { settle, watchTraffic } from "@/test/support/settle";
import { aloneEnvironment, startServer, type TestServer } from "@/test/support/server";
import { copyExampleData, isError, takeServer, type TakenServer } from "@/test/support/shared-server";

export const consolePassword = "correct horse battery staple";
export const basicAuth = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: consolePassword };
export const looks = (["light", "dark"] as const).flatMap((theme) => [1280, 390].map((width) => ({ theme, width })));

export interface ConsoleOptions {
  /** Beyond the test defaults; with none, or only `basicAuth`, other test files share the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** A filled data directory, used directly instead of a copy; default: a copy of the example data. */
  readonly dataDir?: () => string | Promise<string>;
  /** The port, if others must know it beforehand; default: a free one. */
  readonly port?: number;
  readonly others?: readonly string[];
}

export interface PageOptions {
  readonly theme?: "light" | "dark";
  /** Width of the window in CSS pixels; default: 1280. */
  readonly width?: number;
  readonly height?: number;
  /** False disables scripts, to see what the server alone has rendered. */
  readonly javaScript?: boolean;
  /** Whether the browser starts with a session; requires `basicAuth`. */
  readonly signedIn?: boolean;
  /** `mouse`: with scroll bars that take room (Windows, Linux); `touch`: a phone or tablet; default: neither (macOS). */
  readonly input?: "mouse" | "touch";
}

export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly problems: PageProblems;
  /** Opens a path of the console and waits until it is interactive (`settle`); returns the status of the response. */
  readonly goto: (path: string) => Promise<number>;
}

export interface Console {
  /** The server of this file. Its log may start with the lines of earlier files. */
  readonly server: () => TestServer;
  readonly open: (options?: PageOptions) => Promise<ConsolePage>;
  /** Reads a path below `/api/v1`, or posts a body to it; returns `data` of the answer, which must be a success. */
  readonly ask: (path: string, body?: unknown) => Promise<any>;
}

let chromium: Promise<Browser> | undefined;

async function ownChromium(): Promise<Browser> {
  const started = await (chromium ??= launchChromium({ hasScrollBars: true }));
  if (started.isConnected()) return started;
  chromium = launchChromium({ hasScrollBars: true });
  return chromium;
}

/**
 * Gives the test file a built server with the example data, and a browser. Call it once at the top of a test file.
 *
 * After each test its pages are closed. The test fails if a page had a problem that it did not allow: an error or warning
 * on the browser's console, a failed request, a response of 400 or more, or a request to another origin. It also fails if
 * the server logged an error.
 */
export function withConsole({ env = {}, dataDir, port, others = [] }: ConsoleOptions = {}): Console {
  const isPlain = env === basicAuth || Object.keys(env).length === 0;
  const isShared = isPlain && dataDir === undefined && port === undefined;
  let taken: TakenServer | undefined;
  let opened: ConsolePage[] = [];

  beforeAll(async () => {
    taken = await (isShared ? takeServer(env) : startOwn());
  });
  afterEach(async ({ task }) => {
    const pages = opened;
    opened = [];
    const problems = pages.flatMap((one) => one.problems.list());
    const hasFailed = task.result?.state === "fail" || problems.length > 0;
    for (const { page, context } of pages) {
      if (hasFailed) await keepPicture(page, task.name);
      // Routes may still be waiting for an answer.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    }
    expect(problems, "problems on the pages of this test").toEqual([]);
  });
  afterAll(async () => {
    expect((await taken?.end())?.filter(isError) ?? [], "errors in the server's log").toEqual([]);
  });

  async function startOwn(): Promise<TakenServer> {
    const folder = (await dataDir?.()) ?? copyExampleData();
    const server = await startServer({ dataDir: folder, env: { ...aloneEnvironment, ...env }, ...(port && { port }) });
    const end = async () => {
      await server.stop();
      const log = server.log();
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return log;
    };
    return { server, end };
  }

  async function open(options: PageOptions = {}): Promise<ConsolePage> {
    const { theme = "light", width = 1280, height = 800, javaScript = true, signedIn = false, input } = options;
    const { origin } = current();
    const context = await (
      await ownChromium()
    ).newContext({
      baseURL: origin,
      colorScheme: theme,
      viewport: { width, height },
      javaScriptEnabled: javaScript,
      ...(input === "touch" && { hasTouch: true, isMobile: true }),
      // Tests cannot judge a color or position in the middle of a transition.
      reducedMotion: "reduce",
    });
    // Only ends a hang, because pages are slow on a busy machine.
    context.setDefaultTimeout(120_000);
    // Tests access nothing but the server, so app icons are missing, as on a machine without internet access.
    await context.route(
      (url) => ![origin, ...others].includes(url.origin),
      (route) => route.abort(),
    );
    await context.addInitScript(leaveOutNotFound);
    if (signedIn) await signInQuietly(context);
    const page = await context.newPage();
    if (input !== "mouse") {
      await (await context.newCDPSession(page)).send("Emulation.setScrollbarsHidden", { hidden: true });
    }
    watchTraffic(page);
    const problems = new PageProblems(page, [origin, ...others]);
    const one: ConsolePage = { page, context, problems, goto: (path) => goto(page, path, javaScript) };
    opened.push(one);
    return one;
  }

  function current(): TestServer {
    if (!taken) throw new Error("the server has not been started");
    return taken.server;
  }

  async function ask(path: string, body?: unknown): Promise<any> {
    const password = "BASIC_AUTH_PASSWORD" in env ? { "basic-auth-password": consolePassword } : {};
    const answer = await fetch(`${current().origin}/api/v1${path}`, {
      headers: { "content-type": "application/json", ...password },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    const { meta, data } = (await answer.json()) as { meta: { message: string | null }; data: unknown };
    expect(answer.status, `${path}: ${meta.message}`).toBe(200);
    return data;
  }

  return { server: current, open, ask };
}

/**
 * Runs in the browser. If an open page becomes "not found" before that page's code has been fetched, React renders twice
 * and Next reports the first attempt, although its boundary shows the right page in the end.
 */
function leaveOutNotFound(): void {
  addEventListener("error", (event) => {
    const digest: unknown = (event.error as { readonly digest?: unknown } | null)?.digest;
    if (digest === "NEXT_HTTP_ERROR_FALLBACK;404") event.preventDefault();
  });
}

async function signInQuietly(context: BrowserContext): Promise<void> {
  expect((await context.request.post("/api/v1/login", { data: { password: consolePassword } })).status()).toBe(200);
}

export async function signIn(page: Page, password = consolePassword): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function goto(page: Page, path: string, javaScript: boolean): Promise<number> {
  const answer = await page.goto(path, { waitUntil: "load" });
  if (javaScript) await settle(page);
  return answer?.status() ?? 0;
}

/** Presses a key until the target has the focus, and waits until it may be used: buttons take the focus earlier. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.first().waitFor();
  for (let pressed = 0; pressed < 200; pressed++) {
    if (await hasFocus(target)) {
      await (await target.first().elementHandle()).waitForElementState("enabled");
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never leads to ${target.toString()}`);
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.first().evaluate((element) => element === element.ownerDocument.activeElement);
}

/** Nothing overflows sideways: reading needs only one direction of scrolling (WCAG 1.4.10). */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const { wide, views } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    views: document.documentElement.clientWidth,
  }));
  expect(wide, `the page is ${wide} px wide in a window of ${views} px`).toBeLessThanOrEqual(views);
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (page.isClosed()) return;
  mkdirSync("test-results", { recursive: true });
  const file = name.replaceAll(/[^A-Za-z0-9]+/g, "-").slice(0, 100);
  await page.screenshot({ path: `test-results/${file}.png`, fullPage: true }).catch(() => undefined);
}
