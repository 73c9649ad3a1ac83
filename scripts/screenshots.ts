/**
 * `npm run screenshots`: takes screenshots of the console with example data, using the built server and Chromium.
 *
 * Without options: those for the documentation, in docs/images. With `--all --out <folder>`: every page in both themes and all
 * widths, for review. `--only <name>` selects pages by part of their names; `--large` fills in the amount of data that the
 * console must stay fast with; `--data-dir <folder>` uses existing data and keeps it.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { APIRequestContext, Browser } from "playwright-core";
import { launchChromium } from "@/test/support/chromium";
import { type ConsolePageFacts, consolePages, findPath, themes, widths } from "@/test/support/console-pages";
import { settle, watchTraffic } from "@/test/support/settle";
import { aloneEnvironment, emptyDataDir, startServer } from "@/test/support/server";

type Prepare = (request: APIRequestContext) => Promise<void>;
const shown: readonly (readonly [page: string, theme: (typeof themes)[number], prepare?: Prepare])[] = [
  ["overview", "light"],
  ["fleet", "light"],
  ["application", "dark"],
  ["functionalgroup", "light"],
  ["consumermessage", "dark"],
  ["policytable", "light"],
  ["releases", "light", rollOut],
];
const greatestBytes = 300_000;
const password = "a password for screenshots";

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    out: { type: "string", default: "docs/images" },
    only: { type: "string", default: "" },
    large: { type: "boolean", default: false },
    "data-dir": { type: "string" },
  },
});

interface Shot {
  readonly page: ConsolePageFacts;
  readonly theme: (typeof themes)[number];
  readonly width: number;
  readonly file: string;
  readonly prepare?: Prepare | undefined;
}

const shots = (values.all ? listAll() : listShown()).filter(({ page }) => page.name.includes(values.only));
const dataDir = values["data-dir"] ?? fill();
const server = await startServer({
  dataDir,
  env: { ...aloneEnvironment, AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password, FLEET_STATISTICS: "usage" },
});
const browser = await launchChromium();
try {
  mkdirSync(values.out, { recursive: true });
  for (const shot of shots) await take(browser, shot);
} finally {
  await browser.close();
  await server.stop();
  if (values["data-dir"] === undefined) rmSync(dataDir, { recursive: true, force: true });
}

function listAll(): Shot[] {
  return consolePages.flatMap((page) =>
    themes.flatMap((theme) =>
      widths.map((width) => ({ page, theme, width, file: `${page.name}-${theme}-${width}.png` })),
    ),
  );
}

function listShown(): Shot[] {
  return shown.map(([name, theme, prepare]) => {
    const page = consolePages.find((one) => one.name === name);
    if (!page) throw new Error(`there is no page ${name}`);
    return { page, theme, width: 1280, file: `${name}${theme === "dark" ? "-dark" : ""}.png`, prepare };
  });
}

function fill(): string {
  const folder = emptyDataDir();
  const words = values.large ? ["10000", "--large"] : ["28"];
  const args = [
    "--conditions=react-server",
    "--import",
    "tsx",
    "bench/fill.ts",
    folder,
    ...words,
    "--example-apps",
    "--example-item",
    "--fleet",
  ];
  if (spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0)
    throw new Error("filling the data directory failed");
  return folder;
}

/** A release at the second of its steps. */
async function rollOut(request: APIRequestContext): Promise<void> {
  const levels = [{ value: "FULL", selected: true }];
  const rpc = { name: "SetInteriorVehicleData", selected: true, hmi_levels: levels, parameters: [] };
  const rollout = { countries: ["WAEGB", "WAEDE"] };
  for (const [route, data] of [
    ["groups", { name: "SeatControl", is_default: true, rpcs: [rpc] }],
    ["releases", { items: "all", name: "Seat control", force: true, reason: "Example", rollout }],
    ["rollouts/current/advance", {}],
  ] as const) {
    const answer = await request.post(`/api/v1/${route}`, { data, headers: { origin: server.origin } });
    if (!answer.ok()) throw new Error(await answer.text());
  }
}

async function take(from: Browser, { page: facts, theme, width, file, prepare }: Shot): Promise<void> {
  const context = await from.newContext({
    baseURL: server.origin,
    colorScheme: theme,
    viewport: { width, height: 800 },
    reducedMotion: "reduce",
  });
  await context.route(
    (url) => url.origin !== server.origin,
    (route) => route.abort(),
  );
  if (facts.needsSession !== false) await context.request.post("/api/v1/login", { data: { password } });
  await prepare?.(context.request);
  const page = await context.newPage();
  watchTraffic(page);
  await page.goto(await findPath(facts, server.origin, { "basic-auth-password": password }));
  await settle(page);
  const target = path.join(values.out, file);
  // The whole page for review, one screen for readers.
  await page.screenshot({ path: target, fullPage: values.all, animations: "disabled" });
  await context.close();
  const bytes = statSync(target).size;
  console.log(`${target} ${Math.round(bytes / 1000)} kB`);
  if (!values.all && bytes > greatestBytes) throw new Error(`${target} has more than ${greatestBytes} bytes`);
}
