/** A separate process that downloads a bundle until it is killed. Arguments: URL and data folder. */
import { handleBundle } from "@/lib/apps/bundles/handlers";
import { parseSettings } from "@/lib/platform/settings/parse";

const [url = "", dataDir = ""] = process.argv.slice(2);
const env = { NODE_ENV: "test", DATA_DIR: dataDir, BUNDLE_ALLOW_PRIVATE: "true" };
const parsed = parseSettings(env, { root: dataDir, readable: () => true });
if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
await handleBundle(url, parsed.settings);
