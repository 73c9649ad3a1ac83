import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemdUnit } from "@/lib/platform/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

const unit = readFileSync(new URL("../../deploy/open-policy-server.service", import.meta.url), "utf8");

const service = new Map(
  (/\[Service\]\n([^]*?)\n\[/.exec(unit)?.[1] ?? "").split("\n").flatMap((line): [string, string][] => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  }),
);

describe("deploy/open-policy-server.service", () => {
  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  if (!hasSystemd) console.warn("skipped, there is no systemd-analyze: the unit for systemd is not verified");

  it.skipIf(!hasSystemd)("is understood by systemd, each line of it", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "open-policy-server.service");
    writeFileSync(file, unit.replace("/usr/bin/node", process.execPath));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    // Other units of the machine may be at fault; that is not told of this one.
    expect([status, stderr.split("\n").filter((line) => line.includes("open-policy-server"))]).toEqual([0, []]);
  });

  it("is started again whatever ends it (N1), may have many files open (N8), and has time to stop (N12)", () => {
    expect([service.get("Restart"), service.get("KillMode")]).toEqual(["always", "mixed"]);
    expect(unit).toContain("\nStartLimitIntervalSec=0\n");
    expect(Number(service.get("LimitNOFILE"))).toBeGreaterThanOrEqual(65_536);
    // To drain, to finish what is under way, and to write its log.
    expect(Number(service.get("TimeoutStopSec"))).toBeGreaterThan(5 + 8 + 1);
  });

  it("has the rights it needs, and no others", () => {
    expect(Object.fromEntries(service)).toMatchObject({
      AmbientCapabilities: "CAP_NET_BIND_SERVICE",
      CapabilityBoundingSet: "CAP_NET_BIND_SERVICE",
      NoNewPrivileges: "true",
      StateDirectory: "policy-server",
      StateDirectoryMode: "0700",
      UMask: "0077",
      ProtectSystem: "strict",
      PrivateTmp: "true",
      RestrictAddressFamilies: "AF_UNIX AF_INET AF_INET6 AF_NETLINK",
      SystemCallFilter: "@system-service",
      SystemCallErrorNumber: "EPERM",
      // V8 could not compile.
      MemoryDenyWriteExecute: "false",
    });
    expect(service.get("Environment")).toContain(`DATA_DIR=/var/lib/${service.get("StateDirectory")}`);
  });

  it("E10b: commands know its file of settings and its DATA_DIR", () => {
    expect(service.get("EnvironmentFile")).toBe(systemdUnit.settingsFile);
    expect(service.get("Environment")).toContain(`DATA_DIR=${systemdUnit.dataDir}`);
  });
});
