import { rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { launchChromium } from "@/test/support/chromium";
import { consolePages, findPath } from "@/test/support/console-pages";
import { isWhole } from "@/test/support/extent";
import { startServer, type TestServer } from "@/test/support/server";
import { requestTable } from "@/test/support/vehicle";

/** `next-env.d.ts` refers to types in this folder afterwards, so it stays until the next build. */
const buildDir = ".next/dev-test";
const build = () => ["dist/main.js", "dist/stamp", ".next/BUILD_ID"].map((file) => statSync(file).mtimeMs);
const before = build();
let server: TestServer;

beforeAll(async () => {
  rmSync(buildDir, { recursive: true, force: true });
  const env = { DEV_BUILD_DIR: buildDir, RPC_SPEC_URL: "off" };
  server = await startServer({ command: ["scripts/dev.mjs"], env, readyPath: "/health" });
});
afterAll(() => server.stop());

const expectNoErrors = () =>
  expect(server.log().filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);

it("N7: npm run dev answers the API and vehicles, and leaves a build of the same sources alone", async () => {
  expect(await get("/api/v1/about")).toBe(200);
  expect(await requestTable(server.origin)).toMatchObject({ status: 200 });
  expect(build()).toEqual(before);
  expectNoErrors();
});

// Each page is compiled, which takes seconds.
const names = ["overview", "functionalgroup", ...(isWhole ? ["applications", "changes", "about"] : [])];

it.each(consolePages.filter(({ name }) => names.includes(name)))("N7: npm run dev renders $name", async (facts) => {
  expect(await get(await findPath(facts, server.origin))).toBe(200);
  expectNoErrors();
});

it("N7: npm run dev steps from page to page", async () => {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ baseURL: server.origin });
  page.setDefaultTimeout(0);
  const group = consolePages.find(({ name }) => name === "functionalgroup");
  await page.goto(await findPath(group!, server.origin));
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
  expectNoErrors();
});

/** The status. Without a timeout, which `fetch` has: the first request for a page compiles it. */
function get(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(server.origin + path, { agent: false }, (response) => {
      response.resume().once("error", reject);
      response.once("end", () => resolve(response.statusCode));
    });
    sent.once("error", reject).end();
  });
}
