import "@/lib/gate/gate";
import { adoptUnreleased } from "@/lib/content/releases/adopt";
import { authorOf } from "@/lib/content/releases/record-release";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { hmiLevels } from "@/lib/labels/vocabulary";
import { FunctionalGroupModel } from "@/models/functional-group";
import { PermissionModel } from "@/models/permission";
import { fillMessages, numbered } from "./fill-large";

/** What releases are measured with, beside 10,000 apps (`docs/spec/releases.md` section 7). */
export const releaseCounts = { groups: 500, messages: 300, rpcs: 12 } as const;

/** Adds groups and messages to first data, all in production, and the release that brought them there. */
export async function fillForReleases(context: WriteContext): Promise<void> {
  const messages = { word: "Prompt", count: releaseCounts.messages, statusOf: () => "PRODUCTION" as const };
  await inTransaction(context, (tx) => fillMessages(tx, messages));
  await inTransaction(context, fillGroups);
  await inTransaction(context, (tx) => adoptUnreleased(tx, authorOf(tx.writer)));
}

/** Every fifth group is granted to whoever asks for what it holds, the others by hand. */
async function fillGroups(tx: Transaction): Promise<void> {
  const known = await PermissionModel.find({}, { name: 1, type: 1, parents: 1 }).sort({ _id: 1 }).lean();
  const rpcs = known
    .filter(({ type }) => type === "RPC")
    .map(({ name }) => ({
      name,
      parameters: known.filter(({ parents }) => parents.includes(name)).map((parameter) => parameter.name),
    }));
  const ids = await tx.nextIds("functional_groups", releaseCounts.groups);
  const documents = ids.map((_id, at) => ({
    _id,
    name: numbered("Released", at),
    description: `Group ${at + 1} of many`,
    status: "PRODUCTION",
    userConsentPrompt: at % 3 === 0 ? numbered("Prompt", at % releaseCounts.messages) : null,
    isProprietaryGroup: at % 5 !== 0,
    // Steps of 7 give neighbours other RPCs.
    rpcs: Array.from({ length: releaseCounts.rpcs }, (_, place) => ({
      ...rpcs[(at * 7 + place) % rpcs.length],
      levels: hmiLevels.slice(0, 1 + ((at + place) % hmiLevels.length)),
    })),
  }));
  await FunctionalGroupModel.insertMany(documents, { session: tx.session });
}
