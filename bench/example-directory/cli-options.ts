import { parseArgs } from "node:util";
import { z } from "zod";

export const usage = `Serves the API of an app directory with made-up apps, for this machine only.

  --apps N            how many apps in all (those of seed/example-apps.json)
  --seed N            another number makes other apps (1)
  --port N            port on 127.0.0.1, 0 for any free one (4000)
  --public-key TEXT   the keys that callers must send (random)
  --secret-key TEXT
  --webhook-url URL   where changes are announced
  --change-every N    makes a random change every N seconds
  --help              prints this
`;

const number = (lowest: number, highest: number) =>
  z
    .string()
    .refine((text) => /^\d{1,10}$/.test(text) && Number(text) >= lowest && Number(text) <= highest, {
      error: `must be a number from ${lowest} to ${highest}`,
    })
    .transform(Number);
const key = z.string().regex(/^[!-~]+$/, { error: "must be printable ASCII without blanks" });

const options = z.object({
  help: z.boolean().default(false),
  apps: number(1, 1_000_000).optional(),
  seed: number(0, 4_294_967_295).optional(),
  port: number(0, 65_535).default(4000),
  "public-key": key.optional(),
  "secret-key": key.optional(),
  "webhook-url": z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  "change-every": number(1, 86_400).optional(),
});

export type CliOptions = z.output<typeof options>;

export function parseCliOptions(args: readonly string[]): CliOptions {
  const parsed = options.safeParse(readArgs(args));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`--${String(issue?.path[0])} ${String(issue?.message)}`);
}

function readArgs(args: readonly string[]) {
  const types = Object.keys(options.shape).map(
    (name) => [name, { type: name === "help" ? "boolean" : "string" }] as const,
  );
  const known = Object.fromEntries<{ type: "boolean" | "string" }>(types);
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch (error) {
    // The rest of Node's message is about dashes and does not help here.
    const [sentence = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
    throw new Error(sentence, { cause: error });
  }
}
