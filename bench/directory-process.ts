/**
 * Runs the example directory in its own process, controlled by messages, so that its work is not measured. Arguments: number
 * of apps, port (0: any), public key, secret key. Ends with its parent.
 */
import type { FaultKind } from "@/test/support/faulty-directory/faults";
import { startFaultyDirectory } from "@/test/support/faulty-directory/start";

/** Adds an app with this uuid and announces it. Replies once the announcement is accepted. */
export interface AddCommand {
  readonly uuid: string;
  readonly webhookUrl: string;
}

/** From now on, every response about apps has this fault. Replies once that is in effect. */
export interface FaultCommand {
  readonly fault: FaultKind;
}

const [apps = "0", port = "0", publicKey = "", secretKey = ""] = process.argv.slice(2);
const directory = await startFaultyDirectory({ apps: Number(apps), port: Number(port), publicKey, secretKey });

process.on("message", (command: AddCommand | FaultCommand) => {
  if ("fault" in command) {
    directory.faults.set({ ...command.fault, path: "application" });
    process.send?.("set");
    return;
  }
  const { uuid, webhookUrl } = command;
  directory.apps.add({ uuid });
  void directory
    .sendWebhook({ url: webhookUrl, action: "UPSERT", uuid })
    .then((attempts) => process.send?.({ uuid, attempts }));
});
process.once("disconnect", () => void directory.close());
process.send?.({ baseUrl: directory.endpoint.baseUrl, rpcSpecUrl: directory.endpoint.rpcSpecUrl });
