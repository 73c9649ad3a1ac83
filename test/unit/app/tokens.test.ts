import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
const tokens = new Map(
  [...readFileSync("app/globals.css", "utf8").matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** Relative luminance as WCAG defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: "light" | "dark"): number {
  const [high = 0, low = 0] = [one, other]
    .map((name) => luminance(tokens.get(name)?.[theme] ?? ""))
    .sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["page", "surface", "raised", "hover"];
const texts: readonly (readonly [text: string, ground: string])[] = [
  ...grounds.flatMap((ground) => ["text", "muted", "link", "bad"].map((text) => [text, ground] as const)),
  ["text", "active"],
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-accent", "danger"],
  ["on-accent", "danger-hover"],
  ["link", "accent-soft"],
  ["text", "accent-line"],
  ["page", "text"],
  ...["indigo", "teal", "rose", "amber", "sky", "violet", "green", "slate"].map(
    (name) => ["on-tile", `tile-${name}`] as const,
  ),
  ...["good", "warn", "bad", "calm"].flatMap((tone) =>
    [tone, "text", "muted"].map((text) => [text, `${tone}-soft`] as const),
  ),
];

describe.each(["light", "dark"] as const)("contrast of the %s theme", (theme) => {
  it.each(texts)("%s on %s is at least 4.5:1", (text, ground) => {
    expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["page", "surface", "raised"])("edges of fields and the focus ring on %s are at least 3:1", (ground) => {
    expect(contrast("field", ground, theme)).toBeGreaterThanOrEqual(3);
    expect(contrast("accent", ground, theme)).toBeGreaterThanOrEqual(3);
  });
});
