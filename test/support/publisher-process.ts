/** Publishes until it is killed, a line per step. Arguments: connection string, database name, first mark. */
import "@/lib/releases/gate";
import { connect } from "@/lib/platform/db/connection/connect";
import { saveGroup } from "@/lib/records/groups/commands";
import { saveGroupBody } from "@/lib/records/groups/schema";
import { saveMessages } from "@/lib/records/messages/commands";
import { saveMessagesBody } from "@/lib/records/messages/schema";
import { savePublication } from "@/lib/releases/publish/publish-release";
import { saveReturn } from "@/lib/releases/publish/return-to-release";
import { publishBody, returnBody } from "@/lib/releases/publish/schema";
import { scheduleRelease } from "@/lib/releases/schedule/commands";
import { publishDue } from "@/lib/releases/schedule/publish-due";

const [uri = "", dbName = "", first = "1"] = process.argv.slice(2);
const writer = { actor: "admin", route: `process ${process.pid}`, requestId: null };
const insist = { force: true, reason: "nobody drives with it" };

async function stage(mark: number): Promise<void> {
  const languages = [{ language_id: "en-us", selected: true, label: `mark ${mark}` }];
  const messages = [{ message_category: "Pair", is_deleted: false, languages }];
  await saveMessages(saveMessagesBody.parse({ messages }), writer);
  const group = { name: "Pair", is_default: false, rpcs: [], description: `mark ${mark}`, user_consent_prompt: "Pair" };
  await saveGroup(saveGroupBody.parse(group), writer);
}

await connect({ uri, dbName });
for (let mark = Number(first); ; mark += 3) {
  await stage(mark);
  process.stdout.write("publish\n");
  const { release } = await savePublication(
    { ...publishBody.parse({ items: "all", ...insist }), items: "all" },
    writer,
  );
  if (release.number > 1) {
    await stage(mark + 1);
    process.stdout.write("return\n");
    await saveReturn(release.number - 1, returnBody.parse(insist), writer);
  }
  await stage(mark + 2);
  const at = new Date(Date.now() + 60_000);
  await scheduleRelease({ items: "all", name: `Due ${mark + 2}`, note: null, ...insist }, at, writer);
  process.stdout.write("scheduled\n");
  await publishDue(at);
}
