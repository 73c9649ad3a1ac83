/** Arguments: connection string, database name, count; `stand`: it blocks in the middle of the first command. */
import "@/lib/releases/gate";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { inTransaction } from "@/lib/platform/db/transaction";
import { LanguageModel } from "@/models/language";

const [uri = "", dbName = "", count = "0", how = ""] = process.argv.slice(2);
const context = { actor: "admin", route: `process ${process.pid}`, requestId: null };

await connect({ uri, dbName });
const ids = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    inTransaction(context, async (tx) => {
      const id = await tx.nextId("languages");
      const language = { _id: id, languageId: `${process.pid}-${index}` };
      await LanguageModel.insertMany([language], { session: tx.session });
      if (how === "stand") {
        process.stdout.write("stands\n");
        await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      }
      tx.record({ action: "languages.add", target: `language:${id}` });
      return id;
    }),
  ),
);
await disconnect();
process.stdout.write(JSON.stringify(ids));
