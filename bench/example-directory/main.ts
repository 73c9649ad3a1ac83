/** `npm run example-directory` (docs/example-directory.md). Only settings go to standard output. */
import path from "node:path";
import { type CliOptions, parseCliOptions, usage } from "@/bench/example-directory/cli-options";
import { type ExampleDirectory, startExampleDirectory } from "@/example-directory/directory";
import { createLargeCatalog } from "@/bench/example-directory/generator";
import { seededRandom } from "@/bench/example-directory/random";
import { makeRandomChange } from "@/bench/example-directory/random-change";
import type { WebhookAttempt } from "@/example-directory/webhooks";

try {
  const options = parseCliOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(options: CliOptions): Promise<void> {
  const { apps, seed, port, "change-every": changeEverySeconds } = options;
  const { "public-key": publicKey, "secret-key": secretKey, "webhook-url": webhookUrl } = options;
  const directory = await startExampleDirectory({
    root: path.join(import.meta.dirname, "../.."),
    port,
    ...(apps !== undefined && { catalog: createLargeCatalog(apps, seed) }),
    ...(publicKey !== undefined && { publicKey }),
    ...(secretKey !== undefined && { secretKey }),
    ...(webhookUrl !== undefined && { webhookUrl }),
    onWebhook: ({ action, record }, attempts) =>
      console.error(`${action} ${record.uuid} announced: ${attempts.map(describe).join(", ")}`),
  });
  printSettings(directory);
  const timer = changeEverySeconds === undefined ? undefined : changeEvery(directory, changeEverySeconds);
  const end = () => {
    clearInterval(timer);
    void directory.close();
  };
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
}

function printSettings({ apps, endpoint }: ExampleDirectory): void {
  console.error(`The example directory serves ${apps.count} apps. Start the policy server with these settings:`);
  console.log(`SHAID_URL=${endpoint.baseUrl}`);
  console.log(`SHAID_PUBLIC_KEY=${endpoint.publicKey}`);
  console.log(`SHAID_SECRET_KEY=${endpoint.secretKey}`);
  console.log(`RPC_SPEC_URL=${endpoint.rpcSpecUrl}`);
}

function changeEvery({ apps }: ExampleDirectory, seconds: number): NodeJS.Timeout {
  const random = seededRandom(Date.now());
  return setInterval(() => {
    const { uuid, name, deleted_ts, blacklisted_ts } = makeRandomChange(apps, random);
    const state = deleted_ts !== null ? "deleted" : blacklisted_ts !== null ? "blacklisted" : "in a new version";
    console.error(`${uuid} ${String(name)}: now ${state}`);
  }, seconds * 1000);
}

function describe(attempt: WebhookAttempt): string {
  return "status" in attempt ? String(attempt.status) : attempt.error;
}
