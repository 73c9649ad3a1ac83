import type { DirectoryRecord } from "@/example-directory/catalog";
import type { ExampleDirectory } from "@/example-directory/directory";
import type { TestServer } from "@/test/support/server";
import { requestTable, eventually, sampleRequest } from "@/test/support/vehicle";

export function settingsOf({ endpoint }: ExampleDirectory): Readonly<Record<string, string>> {
  const { baseUrl, publicKey, secretKey, rpcSpecUrl } = endpoint;
  return {
    ...{ SHAID_URL: baseUrl, SHAID_PUBLIC_KEY: publicKey, SHAID_SECRET_KEY: secretKey },
    ...{ RPC_SPEC_URL: rpcSpecUrl, TZ: farFromMidnight() },
  };
}

/** A time zone where no daily task comes due while a test runs. */
export function farFromMidnight(): string {
  const hours = 12 - new Date().getUTCHours();
  // These names have the opposite sign.
  return `Etc/GMT${hours < 0 ? "+" : "-"}${Math.abs(hours)}`;
}

export interface ShownTask {
  readonly name: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly succeeded_ts: string | null;
  readonly last_error: string | null;
}

export async function shownTasks({ origin }: Pick<TestServer, "origin">): Promise<readonly ShownTask[]> {
  const { data } = await (await fetch(`${origin}/api/v1/about`)).json();
  return data.directory.tasks ?? [];
}

export async function taskDone(
  server: Pick<TestServer, "origin">,
  name = "applications",
  after = 0,
): Promise<ShownTask & { readonly succeeded_ts: string }> {
  return eventually(async () => {
    const task = (await shownTasks(server).catch(() => [])).find((one) => one.name === name);
    const at = task?.succeeded_ts ?? null;
    return task && at !== null && Date.parse(at) > after && task.state === "succeeded" && { ...task, succeeded_ts: at };
  });
}

export function announce(directory: ExampleDirectory, { origin }: Pick<TestServer, "origin">, record: DirectoryRecord) {
  const isGone = record.deleted_ts !== null;
  const action = isGone ? "DELETE" : record.blacklisted_ts === null ? "UPSERT" : "BLACKLIST";
  return directory.sendWebhook({ url: `${origin}/api/v1/webhook`, action, uuid: record.uuid });
}

export async function storedVersions({ origin }: Pick<TestServer, "origin">): Promise<ReadonlyMap<string, number>> {
  const { data } = await (await fetch(`${origin}/api/v1/applications`)).json();
  return new Map(data.applications.map(({ uuid, version_id }: any) => [uuid, version_id]));
}

/** The entry that vehicles in staging get for an app: an object, `"default"` or null. */
export async function servedEntry({ origin }: Pick<TestServer, "origin">, uuid: string): Promise<unknown> {
  const request = JSON.parse(sampleRequest("1-app"));
  request.policy_table.app_policies = { [uuid]: {} };
  request.policy_table.module_config.full_app_id_supported = true;
  const { table } = await requestTable(origin, { environment: "staging", body: JSON.stringify(request) });
  return table.app_policies[uuid];
}
