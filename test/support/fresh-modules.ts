/** Files of `ui` share processes, which load faster; `reset`, which is not documented, loads our modules anew. */
import { vi } from "vitest";

const { __vitest_mocker__: mocker } = globalThis as unknown as { __vitest_mocker__: { reset(): void } };
mocker.reset();
vi.resetModules();
