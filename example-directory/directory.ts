import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import { ExampleApps, type AppChange } from "@/example-directory/apps";
import { type Catalog, createCatalog } from "@/example-directory/catalog";
import { createRoutes, rpcSpecPath } from "@/example-directory/routes";
import { ExampleSeeds } from "@/example-directory/seeds";
import { type Deliver, createDirectoryServer, deliverRight } from "@/example-directory/server";
import { deliverWebhook, type Webhook, type WebhookAttempt } from "@/example-directory/webhooks";

export interface ExampleDirectoryOptions {
  /** Project folder with the files in `seed`; default: the current folder. */
  readonly root?: string;
  /** On 127.0.0.1; default: any free port. */
  readonly port?: number;
  /** Its apps; default: those of `seed/example-apps.json`. */
  readonly catalog?: (seeds: ExampleSeeds) => Catalog;
  readonly publicKey?: string;
  readonly secretKey?: string;
  /** URL that receives a notification for every change. */
  readonly webhookUrl?: string;
  /** Pauses between the attempts to send a notification, in milliseconds; there is one more attempt than pauses. */
  readonly webhookPausesMs?: readonly number[];
  /** Lets tests make the directory misbehave; default: every response is correct. */
  readonly deliver?: Deliver;
  /** Called when a notification was accepted or has finally failed. */
  readonly onWebhook?: (change: AppChange, attempts: readonly WebhookAttempt[]) => void;
}

export interface ExampleDirectory {
  /** Its URL without a trailing slash, and the keys to call it with. */
  readonly endpoint: {
    readonly baseUrl: string;
    readonly publicKey: string;
    readonly secretKey: string;
    readonly rpcSpecUrl: string;
  };
  readonly apps: ExampleApps;
  /** Sends a notification until it is accepted, at most four times; returns the result of each attempt. */
  sendWebhook(webhook: Pick<Webhook, "url" | "action" | "uuid"> & { readonly key?: string }): Promise<WebhookAttempt[]>;
  /** Resolves when the notifications of all changes so far have been accepted or have finally failed. */
  webhooksSettled(): Promise<void>;
  close(): Promise<void>;
}

/** Serves made-up apps with the app directory's API (`directory.md` sections 1, 3). Throws one sentence on failure. */
export async function startExampleDirectory(options: ExampleDirectoryOptions = {}): Promise<ExampleDirectory> {
  const { root = process.cwd(), publicKey = randomKey(), secretKey = randomKey() } = options;
  const seeds = new ExampleSeeds(root);
  const apps = new ExampleApps(() => (options.catalog ?? createCatalog)(seeds));
  const answer = createRoutes({ root, seeds, apps, publicKey, secretKey });
  const server = createDirectoryServer({ answer, deliver: options.deliver ?? deliverRight });
  const origin = await listen(server, options.port ?? 0);

  const stop = new AbortController();
  // Every notification in progress listens to it.
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
