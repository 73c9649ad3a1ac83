import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "@/scripts/test-plan.mjs";

export function chromiumPath(): string {
  const found = findBrowser();
  if (found === null) throw new Error("there is no Chromium: install chromium-headless-shell, or set CHROMIUM_PATH");
  return found;
}

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** `hasScrollBars`: scroll bars take room, as on Windows and Linux. */
export function launchChromium({ hasScrollBars = false } = {}): Promise<Browser> {
  const ignoreDefaultArgs = hasScrollBars ? ["--hide-scrollbars"] : [];
  return chromium.launch({ executablePath: chromiumPath(), headless: true, args: flags, ignoreDefaultArgs });
}
