import path from "node:path";
import { parseEnv } from "node:util";
import { format } from "oxfmt";
import { expect, it } from "vitest";
import type { ZodType } from "zod";
import { parseSettings } from "@/lib/platform/settings/parse";
import { secretVariables, type VariableName, variableNames, variables } from "@/lib/platform/settings/variables";

/* `npx vitest run --project unit …/env-example.test.ts -u` writes the files made from the table of settings. */
const root = path.join(import.meta.dirname, "../../../..");
const secrets = new Set<string>(secretVariables);

interface Shown {
  readonly name: string;
  readonly help: string;
  readonly fallback: string;
}

/** Titles, by the first setting below each. */
const titles: Partial<Record<VariableName, string>> = {
  POLICY_SERVER_HOST: "Server and TLS",
  HTTPS_PROXY: "Outgoing proxies",
  VEHICLE_WORKERS: "Processes",
  MONGODB_URI: "Database",
  SHAID_PUBLIC_KEY: "App directory and RPC specification",
  AUTH_TYPE: "Authentication",
  HEAD_UNITS: "Head units",
  PUBLISH_APPROVALS: "Approvals",
  CA_PRIVATE_KEY_FILENAME: "Certificates",
  SMTP_HOST: "Email",
  BUNDLE_HANDLER: "Embedded app bundles",
  NODE_ENV: "Logging and operations",
};

const shown: { readonly title: string; readonly settings: Shown[] }[] = [];
for (const name of variableNames) {
  const title = titles[name];
  if (title !== undefined) shown.push({ title, settings: [] });
  const kind: ZodType = variables.shape[name];
  const help = `${kind.description ?? ""}${secrets.has(name) ? " Secret." : ""}`.replaceAll(/\s+/g, " ");
  const value = kind.parse(undefined);
  const fallback = ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
  shown.at(-1)?.settings.push({ name, help, fallback });
}

/** No line of a comment begins with `NAME=`: it would look like a setting. */
function wrap(text: string): string {
  const together = text.replaceAll(/ (?=[A-Z][A-Z0-9_]+=)/g, "\u2400");
  const lines = together.replaceAll(/(?=\S)(.{1,116}\S)(?:\s+|$)/g, "# $1\n").trimEnd();
  return lines.replaceAll("\u2400", " ");
}

const header = [
  'Settings of the policy server. Copy this file to .env and take the "#" away from what you change. The process environment',
  "wins over .env, and an empty value counts as not set. The server does not start with a wrong value: it prints one line for",
  "each error. The values here are the defaults.",
].join(" ");
const aboutSecrets = [
  "A setting marked Secret can also come from a file: add _FILE to its name and set the path, e.g.",
  "SESSION_SECRET_FILE=/run/secrets/session. A line break at the end of the file is ignored. Do not set both names.",
].join(" ");

const example = `${[
  `${wrap(header)}\n#\n${wrap(aboutSecrets)}`,
  ...shown.flatMap(({ title, settings }) => [
    `# --- ${title} `.padEnd(120, "-"),
    ...settings.map(({ name, help, fallback }) => `${wrap(help)}\n# ${name}=${fallback}`),
  ]),
].join("\n\n")}\n`;

const page = [
  "# Settings",
  "Settings come from the environment and, for names not set there, from a file `.env` in the project folder. An empty value " +
    "counts as not set. The server does not start with a wrong value: it prints one line for each error. " +
    "[`.env.example`](../.env.example) is a file to begin with; the exact rules are in [the specification](spec/settings.md).",
  "A setting marked _Secret_ can also come from a file: `NAME_FILE` holds its path.",
  ...shown.flatMap(({ title, settings }) => [
    `## ${title}`,
    [
      "| Name | Default | Meaning |\n| --- | --- | --- |",
      ...settings.map(({ name, help, fallback }) => {
        const text = help
          .replaceAll("|", "\\|")
          .replaceAll("<", "&lt;")
          .replaceAll("*", "\\*")
          .replace(/Secret\.$/, "_Secret._");
        return `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${text} |`;
      }),
    ].join("\n"),
  ]),
].join("\n\n");

it("makes .env.example from the table", () => expect(example).toMatchFileSnapshot(path.join(root, ".env.example")));

it("makes docs/settings.md from the table", async () => {
  const { code } = await format("settings.md", page, { printWidth: 120 });
  await expect(code).toMatchFileSnapshot(path.join(root, "docs/settings.md"));
});

it("describes every setting once", () => {
  const names = shown.flatMap(({ settings }) => settings.map(({ name }) => name));
  expect(names.toSorted()).toEqual(variableNames.toSorted());
  for (const { settings } of shown) for (const { name, help } of settings) expect(help, name).toMatch(/^\S.{8,}/);
});

const named = [...example.matchAll(/^# ?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => ({ name, value }));

it("changes nothing when copied as it is", () => expect(parseEnv(example)).toEqual({}));

it("shows defaults: they are accepted and change nothing, and none is a secret", () => {
  for (const { name = "", value } of named) if (secrets.has(name)) expect(value).toBe("");
  const env = Object.fromEntries(named.map(({ name, value }) => [name, value]));
  const files = { root: "/srv", readable: () => true };
  expect(parseSettings(env, files)).toEqual(parseSettings({}, files));
});
