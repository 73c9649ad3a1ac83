import { rmSync } from "node:fs";
import mongoose from "mongoose";
import { buildAnswer, joinPlain } from "@/lib/policy/answer/answer";
import { readPolicyTable } from "@/lib/policy/answer/policy-request";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import type { Environment } from "@/lib/vocabulary/terms";
import { AppCertificateModel } from "@/models/app-certificate";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { ConsumerMessageModel } from "@/models/consumer-message";
import { CustomVehicleDataModel } from "@/models/custom-vehicle-data";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { compiled, requestId, shortenedTable } from "@/test/support/answers";
import { type CommandOutcome, runCommand } from "@/test/support/command-line";
import { databaseUri, disconnected } from "@/test/support/database";
import { temporaryFolder } from "@/test/support/temporary-folder";

export function moveHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  return commandHere(["import-sdl-server", ...args], environment);
}

/** Runs a command on this file's database. The command opens its own connection; the test's is restored afterwards. */
export async function commandHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  wait?: (ms: number) => Promise<boolean>,
): Promise<CommandOutcome> {
  const here = mongoose.connection.name;
  const { AUDIT_KEY = "" } = process.env;
  const dataDir = temporaryFolder();
  try {
    const own = { MONGODB_URI: databaseUri(here), DATA_DIR: dataDir, AUDIT_KEY };
    return await disconnected(() => runCommand(args, { ...own, ...environment }, wait));
  } finally {
    // A command leaves nothing behind, which tests check.
    rmSync(dataDir, { recursive: true });
  }
}

export async function movedDocuments(): Promise<Record<string, any[]>> {
  const models = {
    groups: FunctionalGroupModel,
    messages: ConsumerMessageModel,
    vehicleData: CustomVehicleDataModel,
    moduleConfigs: ModuleConfigModel,
    apps: ApplicationModel,
    flags: ApplicationFlagsModel,
    certificates: AppCertificateModel,
  };
  const lists = Object.entries<any>(models).map(async ([name, model]) => [
    name,
    await model.find().sort({ _id: 1 }).lean(),
  ]);
  return Object.fromEntries(await Promise.all(lists));
}

export async function tableFor(environment: Environment, uuids: readonly string[]): Promise<any> {
  const policy = await compiled(await createSnapshotLoader({ report: () => undefined }).load(), environment);
  const request = readPolicyTable(shortenedTable(Object.fromEntries(uuids.map((uuid) => [uuid, null])), true));
  return JSON.parse(Buffer.concat(joinPlain(buildAnswer(policy, request, requestId)).buffers).toString()).data[0]
    .policy_table;
}
