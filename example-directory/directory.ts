import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import { ExampleApps, type AppChange } from "@/example-directory/apps";
import { createCatalog } from "@/example-directory/catalog";
import { createRoutes, rpcSpecPath } from "@/example-directory/routes";
import { ExampleSeeds } from "@/example-directory/seeds";
import { type Deliver, createDirectoryServer, deliverRight } from "@/example-directory/server";
import { deliverWebhook, type Webhook, type WebhookAttempt } from "@/example-directory/webhooks";

export interface ExampleDirectoryOptions {
  /** Project folder, for the files in `seed`; the current folder if left out. */
  readonly root?: string;
  /** On 127.0.0.1; any free one if left out. */
  readonly port?: number;
  /** How many apps in all; those of `seed/example-apps.json` if left out. */
  readonly apps?: number;
  /** Another number gives other made-up apps. */
  readonly seed?: number;
  /** Random if left out. */
  readonly publicKey?: string;
  readonly secretKey?: string;
  /** Every change is announced there. */
  readonly webhookUrl?: string;
  /** Pauses between the attempts to announce a change, in milliseconds; there is one attempt more. */
  readonly webhookPausesMs?: readonly number[];
  /** Tests make the directory misbehave here; left out: every answer is the right one. */
  readonly deliver?: Deliver;
  /** Called when a change has been announced, or could not be. */
  readonly onWebhook?: (change: AppChange, attempts: readonly WebhookAttempt[]) => void;
}

export interface ExampleDirectory {
  /** Where it is, without a slash at the end, and as whom to call it. */
  readonly endpoint: {
    readonly baseUrl: string;
    readonly publicKey: string;
    readonly secretKey: string;
    readonly rpcSpecUrl: string;
  };
  readonly apps: ExampleApps;
  /** Sends a notification until it is accepted, four times at most; gives what each attempt got. */
  sendWebhook(webhook: Pick<Webhook, "url" | "action" | "uuid"> & { readonly key?: string }): Promise<WebhookAttempt[]>;
  /** Resolves when every change made so far has been announced, or could not be. */
  webhooksSettled(): Promise<void>;
  close(): Promise<void>;
}

/** Serves made-up apps by the directory's API (`directory.md` sections 1, 3). Throws one sentence on failure. */
export async function startExampleDirectory(options: ExampleDirectoryOptions = {}): Promise<ExampleDirectory> {
  const { root = process.cwd(), publicKey = randomKey(), secretKey = randomKey() } = options;
  const seeds = new ExampleSeeds(root);
  const apps = new ExampleApps(() => createCatalog(seeds, options.apps ?? null, options.seed ?? 1));
  const answer = createRoutes({ root, seeds, apps, publicKey, secretKey });
  const server = createDirectoryServer({ answer, deliver: options.deliver ?? deliverRight });
  const origin = await listen(server, options.port ?? 0);

  const stop = new AbortController();
  // Every notification on its way listens to it.
  setMaxListeners(0, stop.signal);
  const underWay = new Set<Promise<unknown>>();
  const pauses = options.webhookPausesMs ?? [1_000, 2_000, 4_000];
  const directory: ExampleDirectory = {
    endpoint: { baseUrl: origin, publicKey, secretKey, rpcSpecUrl: origin + rpcSpecPath },
    apps,
    sendWebhook: ({ url, action, uuid, key = publicKey }) =>
      deliverWebhook({ url, action, uuid, key, record: apps.app(uuid) }, pauses, stop.signal),
    webhooksSettled: async () => {
      await Promise.all(underWay);
    },
    close: async () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, ...underWay]);
    },
  };
  const { webhookUrl, onWebhook } = options;
  if (webhookUrl !== undefined)
    apps.onChange((change) => {
      const { action, record } = change;
      const sending = directory
        .sendWebhook({ url: webhookUrl, action, uuid: record.uuid })
        .then((attempts) => onWebhook?.(change, attempts))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    });
  return directory;
}

function randomKey(): string {
  return randomBytes(24).toString("hex");
}

function listen(server: ReturnType<typeof createDirectoryServer>, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "EADDRINUSE" ? "another process has it" : (error.code ?? error.message);
      reject(new Error(`The example directory cannot listen on port ${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}
