import { gzipSync } from "node:zlib";
import { type Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { basicAuth, consolePassword, withConsole } from "@/test/support/browser";
import { consolePages, findPath } from "@/test/support/console-pages";

/** Client JavaScript of a page, compressed, in kB of 1000 bytes: all that the browser fetches on a first visit. */
const budget = 220;

const { open, server } = withConsole({ env: basicAuth });

const figures: [name: string, kilobytes: number, files: number][] = [];
afterAll(() => {
  const lines = figures.map(
    ([name, size, files]) => `${name.padEnd(28)}${size.toFixed(1).padStart(7)} kB  ${files} files`,
  );
  console.log(`Client JavaScript, gzip, at most ${budget} kB a page:\n${lines.join("\n")}`);
});

it.each(consolePages)("the scripts of $name fit into the budget", async (facts) => {
  const path = await findPath(facts, server().origin, { "basic-auth-password": consolePassword });
  const { page, goto } = await open({ signedIn: facts.needsSession ?? true });
  const scripts = collectScripts(page);
  expect(await goto(path)).toBe(200);
  const sizes = await scripts();
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  figures.push([facts.name, kilobytes, sizes.length]);
  expect(sizes.length).toBeGreaterThan(0);
  expect(kilobytes).toBeLessThanOrEqual(budget);
});

/** Collects every script the page fetches from now on; gives their compressed sizes in bytes. */
function collectScripts(page: Page): () => Promise<number[]> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const isScript = /javascript/.test(response.headers()["content-type"] ?? "");
    if (isScript && response.status() === 200) bodies.push(response.body());
  });
  return async () => (await Promise.all(bodies)).map((body) => gzipSync(body).length);
}
