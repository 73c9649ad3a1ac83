import fc from "fast-check";
import { afterAll } from "vitest";
import { seed } from "@/test/support/extent";
import { removeFolders } from "@/test/support/temporary-folder";

// All random values of a run come from one seed: `TEST_SEED=… npx vitest run …` repeats them.
fc.configureGlobal({ seed });
// The first hook runs last, after the file's own cleanup.
afterAll(removeFolders);
