import fc from "fast-check";
import { seed } from "@/test/support/extent";

// Random values of one run come from one seed: `TEST_SEED=… npx vitest run …` tries the same ones again.
fc.configureGlobal({ seed });
