/**
 * Files of `ui` share processes, because jsdom and React take longer to load than most files take to run. But each loads our
 * modules anew: it mocks some, and others hold state. Vitest does both with isolation only; `reset` is not documented.
 */
import { vi } from "vitest";

const { __vitest_mocker__: mocker } = globalThis as unknown as { __vitest_mocker__: { reset(): void } };
mocker.reset();
vi.resetModules();
