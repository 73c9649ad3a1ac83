import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import { environments } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";
import { compiled, requestId, shortenedTable } from "@/test/support/answers";

export async function servedTables(): Promise<readonly string[]> {
  const apps = await ApplicationModel.find({}, { uuid: 1, shortUuid: 1 }).sort({ _id: 1 }).lean();
  const snapshot = await createSnapshotLoader({ report: () => undefined }).load();
  const answers: string[] = [];
  for (const environment of environments) {
    const policy = await compiled(snapshot, environment);
    for (const isLong of [true, false]) {
      const ids = Object.fromEntries(apps.map(({ uuid, shortUuid }) => [isLong ? uuid : shortUuid, null]));
      const request = readPolicyTable(shortenedTable(ids, isLong));
      answers.push(Buffer.concat(joinPlain(buildAnswer(policy, request, requestId)).buffers).toString());
    }
  }
  return answers;
}
