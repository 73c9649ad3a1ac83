import { createHash } from "node:crypto";

const style =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#18181b}" +
  "body{margin:0;min-height:100vh;display:grid;place-items:center}main{max-width:32rem;padding:1.5rem}" +
  "h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0;color:#52525b}" +
  "@media (prefers-color-scheme:dark){:root{background:#18181b;color:#fafafa}p{color:#a1a1aa}}";

/** The Content-Security-Policy of the page: its own style and nothing else. */
export const awayPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

const texts = {
  away: ["The console is starting again…", "Vehicles are answered meanwhile. This page tries again by itself."],
  busy: ["The console has too much to do…", "Vehicles are answered as usual. This page tries again by itself."],
} as const;

/**
 * A page of its own for the time in which the console cannot make one (`processes.md` N3).
 *
 * @param reason whether the console is gone, or has no place free
 * @param seconds after which a browser tries again
 */
export function buildAwayPage(reason: "away" | "busy", seconds: number): string {
  const [title, text] = texts[reason];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${seconds}">` +
    `<style>${style}</style></head><body><main role="status"><h1>${title}</h1><p>${text}</p></main></body></html>`
  );
}
