import fc from "fast-check";
import { seed } from "@/test/support/extent";

// All random values of a run come from one seed: `TEST_SEED=… npx vitest run …` repeats them.
fc.configureGlobal({ seed });
