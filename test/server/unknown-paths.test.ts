import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "@/test/support/extent";
import { aloneEnvironment, startServer, type TestServer } from "@/test/support/server";

const password = "correct horse battery staple";
const asPerson = { accept: "text/html,application/xhtml+xml" };
let server: TestServer;
const ask = (path: string, init: RequestInit = {}) => fetch(server.origin + path, { redirect: "manual", ...init });

/** A session's cookie. */
async function signIn(): Promise<{ cookie: string }> {
  const answer = await ask("/api/v1/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password }),
  });
  return { cookie: answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "" };
}

beforeAll(async () => {
  server = await startServer({ env: { ...aloneEnvironment, AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password } });
});
afterAll(() => server.stop());

describe("N10: what is not there is answered without rendering a page", () => {
  it.each(["/api/none", "/api/v1/none", "/health/more", "/webhooks", "/bundles"])("%s: the envelope", async (path) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answer = await ask(path, { method });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
      expect((await answer.json()).meta.code).toBe(404);
    }
  });

  it.each(["/_next/static/chunks/none.js", "/_next/none", "/images/none.png", "/favicon.ico", "/wp-login.php"])(
    "%s: a sentence, whoever asks",
    async (path) => {
      const answer = await ask(path, { headers: { ...asPerson, cookie: "next-auth.session-token=made-up" } });
      expect(answer.status).toBe(404);
      expect((await answer.text()).length).toBeLessThan(500);
    },
  );

  it("whoever is signed in gets the console's own page at an address without a page", async () => {
    const page = await ask("/nothing-here", { headers: { ...asPerson, ...(await signIn()) } });
    expect(page.status).toBe(404);
    expect((await page.text()).length).toBeGreaterThan(5000);
    const stranger = await ask("/nothing-here", { headers: asPerson });
    expect([stranger.status, await stranger.text()]).toEqual([404, expect.stringMatching(/^.{1,500}$/s)]);
  });

  it("files are sent whole, and know GET and HEAD", async () => {
    const whole = await ask("/images/lock-screen.png");
    const part = await ask("/images/lock-screen.png", { headers: { range: "bytes=99999999-", "if-match": '"x"' } });
    expect([whole.status, part.status]).toEqual([200, 200]);
    expect((await part.arrayBuffer()).byteLength).toBe((await whole.arrayBuffer()).byteLength);
    const refused = await ask("/images/lock-screen.png", { method: "POST" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("everything that is there is still answered", async () => {
    const signedIn = await signIn();
    const pages = ["/applications", "/about/", "/login/basic", "/functionalgroups/manage", "/vehicledata", "/docs"];
    for (const path of pages) expect([path, (await ask(path, { headers: signedIn })).status]).not.toContain(404);
    const html = await (await ask("/applications", { headers: signedIn })).text();
    const files = [...html.matchAll(/\/_next\/static\/[^"\\]+\.(?:js|css|woff2)/g)].map(([file]) => file);
    expect(files.length).toBeGreaterThan(3);
    for (const file of [...new Set(files), "/icon.svg"]) expect([file, (await ask(file)).status]).toEqual([file, 200]);
  });
});

it("N4: 100 clients at /login keep the console busy, and it answers /health all the same", async () => {
  let isOver = false;
  const statuses = new Set<number>();
  const client = async () => {
    while (!isOver) {
      const answer = await ask("/login");
      statuses.add(answer.status);
      await answer.arrayBuffer();
    }
  };
  const clients = Array.from({ length: 100 }, client);
  for (let probe = 0; probe < runs(20, 3); probe++) expect((await ask("/health")).status).toBe(200);
  isOver = true;
  await Promise.all(clients);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
});
