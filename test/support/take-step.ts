import { expect } from "vitest";
import { findHeadIds } from "@/lib/platform/db/heads";
import { ApplicationModel } from "@/models/application";
import { processNow } from "@/test/support/directory";
import type { Step } from "@/test/support/random-walk";
import { aRequest, readAnswer } from "@/test/support/requests";
import { findRoute } from "@/test/support/route-calls";

async function call(name: string, body: object): Promise<boolean> {
  const { handler, method, path } = findRoute(name);
  const answer = await readAnswer(await handler(aRequest(path, { method, body })));
  expect(answer.meta.code, `${name}: ${String(answer.meta.message)}`).toBeLessThan(500);
  return answer.meta.code === 200;
}

export async function take(step: Step): Promise<boolean> {
  switch (step.kind) {
    case "send":
      return call(step.route, step.body);
    case "promote": {
      const ids = await findHeadIds(step.family === "groups" ? "group" : "message", "staging");
      const id = step.mask % 3 === 0 ? ids : ids.filter((one) => (step.mask >> (one % 31)) % 2 === 1);
      return call(`POST /api/v1/${step.family}/promote`, { id });
    }
    case "decide": {
      const version = await versionAt(step.nth);
      return version !== undefined && call("POST /api/v1/applications/action", { id: version._id, ...step.body });
    }
    case "flag": {
      const version = await versionAt(step.nth);
      const member = step.flag === "auto" ? "is_auto_approved_enabled" : "is_administrator_app";
      const body = { uuid: version?.uuid, [member]: step.isOn };
      return version !== undefined && call(`POST /api/v1/applications/${step.flag}`, body);
    }
    case "directory": {
      const settings = { autoApproveAllApps: step.isAutomatic, encryptionRequired: false };
      return (await processNow(step.records, { settings })).some(({ kind }) => kind === "stored");
    }
  }
}

async function versionAt(nth: number) {
  const versions = await ApplicationModel.find({}, { uuid: 1 }).sort({ _id: -1 }).limit(40).lean();
  return versions[nth % Math.max(1, versions.length)];
}
