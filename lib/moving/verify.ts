import "server-only";
import { z } from "zod";
import { compareTables, type Difference } from "@/lib/moving/compare";
import type { Loss } from "@/lib/moving/tables";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { environments } from "@/lib/words/vocabulary";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { fetchOutgoing } from "@/lib/http/outgoing-fetch";

/** Head units take 1,000 entries at most. */
const perBatch = 500;

const answer = z.object({ data: z.tuple([z.object({ policy_table: z.unknown() })]) });

export interface Verification {
  readonly tables: number;
  readonly apps: number;
  /** Each once, however many batches have it. */
  readonly differences: readonly (Difference & { readonly environment: string })[];
}

/**
 * Asks another server for the tables of all apps that the connected database knows, in batches, and compares them with what
 * this server would answer (`exchange.md` X8).
 *
 * @param base address of the other server, without a path
 * @param publicBaseUrl of this server
 * @throws Error with a sentence when the other server does not answer with policy tables
 */
export async function verifyAgainst(
  base: string,
  publicBaseUrl: string,
  losses: readonly Loss[],
): Promise<Verification> {
  const apps = await ApplicationFlagsModel.find({}, { uuid: 1 }).sort({ _id: 1 }).lean();
  const uuids = apps.map(({ uuid }) => uuid);
  const snapshot = await createSnapshotLoader().load();
  const options = { publicBaseUrl, certificates: { staging: null, production: null } };
  const found = new Map<string, Verification["differences"][number]>();
  let tables = 0;
  for (const environment of environments) {
    const policy = await compilePolicy(snapshot, environment, options, () => undefined);
    for (let from = 0; from === 0 || from < uuids.length; from += perBatch) {
      const request = requestFor(uuids.slice(from, from + perBatch));
      const theirs = await askOther(`${base.replace(/\/+$/, "")}/api/v1/${environment}/policy`, request);
      const text = Buffer.concat(joinPlain(buildAnswer(policy, readPolicyTable(request), "")).buffers).toString();
      const ours = answer.parse(JSON.parse(text)).data[0].policy_table;
      for (const difference of compareTables(theirs, ours, losses)) {
        found.set(`${environment} ${difference.path}`, { environment, ...difference });
      }
      tables += 1;
    }
  }
  return { tables, apps: uuids.length, differences: [...found.values()] };
}

function requestFor(uuids: readonly string[]) {
  return {
    app_policies: Object.fromEntries(uuids.map((uuid) => [uuid, null])),
    consumer_friendly_messages: {},
    device_data: {},
    functional_groupings: {},
    module_config: { full_app_id_supported: true },
    usage_and_error_counts: {},
  };
}

async function askOther(url: string, table: object): Promise<unknown> {
  const init = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ policy_table: table }),
  };
  const response = await fetchOutgoing(url, init).catch((error: unknown) => {
    throw new Error(`${url} cannot be reached`, { cause: error });
  });
  const parsed = answer.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new Error(`${url} answers ${response.status}, and not with a policy table`);
  return parsed.data.data[0].policy_table;
}
