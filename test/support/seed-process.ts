/** Stops before the commit of a step, prints that, and waits to be killed. Arguments: folder, number. */
import { join } from "node:path";
import { startEmbeddedDatabase } from "@/test/support/embedded-database";
import { connect } from "@/lib/platform/db/connection/connect";
import "@/lib/releases/gate";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import { steps } from "@/lib/exchange/seed/steps";

const [dataDir = "", number = "0"] = process.argv.slice(2);
const hanging = steps.map((step) => ({
  ...step,
  run: async (...parameters: Parameters<typeof step.run>) => {
    await step.run(...parameters);
    if (step.number !== Number(number)) return;
    process.stdout.write("half-way\n");
    await new Promise(() => {
      setInterval(() => undefined, 60_000);
    });
  },
}));

const { uri } = await startEmbeddedDatabase({ dataDir: join(dataDir, "database") });
await connect({ uri });
await saveFirstData({ root: process.cwd(), publicBaseUrl: "http://localhost:3000", withExampleApps: true }, hanging);
