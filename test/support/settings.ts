import { afterEach, beforeAll } from "vitest";
import { replaceLoginThrottle } from "@/lib/platform/auth/login-throttle";
import { believeClientHeaders } from "@/lib/platform/http/read/client-address";
import { replaceSettings, type Settings } from "@/lib/platform/settings";
import { parseSettings } from "@/lib/platform/settings/parse";

/** Settings of these variables alone; every file counts as readable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>, root = process.cwd()): Settings {
  const parsed = parseSettings({ NODE_ENV: "test", ...env }, { root, readable: () => true });
  if ("problems" in parsed) throw new Error(parsed.problems.join("\n"));
  return parsed.settings;
}

/** As if the environment were exactly `env`, on loopback only, where short passwords are allowed. */
export function useSettings(env: Readonly<Record<string, string>> = {}): void {
  replaceSettings(readSettings({ LISTEN_ADDRESS: "127.0.0.1", AUDIT_KEY: process.env.AUDIT_KEY, ...env }));
}

export const generationEnv = (passphrase: string) => ({
  CA_PRIVATE_KEY_FILENAME: "ca.key",
  CA_CERTIFICATE_FILENAME: "ca.crt",
  CERTIFICATE_PASSPHRASE: passphrase,
  CERTIFICATE_COMMON_NAME: "policy.example.com",
});

/** Test files share a process: starts without another file's settings, trust in client headers and failed logins. */
export function forgetSettings(): void {
  beforeAll(() => {
    replaceSettings(null);
    believeClientHeaders(false);
    replaceLoginThrottle(null);
  });
  afterEach(() => replaceSettings(null));
}
