import { chromium, type Browser } from "playwright-core";

/** Debian's place of the browser, which `CHROMIUM_PATH` overrides. */
export const chromiumPath = () => process.env.CHROMIUM_PATH || "/usr/bin/chromium";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts Chromium without a window, with a profile of its own that goes away with it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args: flags });
}
