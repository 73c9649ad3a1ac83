import { spawnSync } from "node:child_process";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { exampleRoles } from "@/bench/example-login/people";
import { listSettings } from "@/bench/example-login/settings";

it("prints settings that a shell takes as they are, and a file named .env as well", () => {
  const lines = listSettings({ issuer: "http://127.0.0.1:9090", clientId: "policy-server", clientSecret: "s3cret" });
  const script = `${lines.join("\n")}\nprintf '%s\\n' "$OIDC_ISSUER" "$OIDC_ROLES"`;
  const { stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual([`http://127.0.0.1:9090\n${exampleRoles}\n`, ""]);
  expect(parseEnv(lines.join("\n"))["OIDC_ROLES"]).toBe(exampleRoles);
});
