import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { removeLeftoverBundles, withTemporaryFile } from "@/lib/apps/bundles/temporary-files";
import { stopProcess } from "@/test/support/processes";
import { bundleSettings, endBundleHosts, filesOf, startBundleHost } from "@/test/support/bundle-host";

endBundleHosts();

const myHost = hostname().replaceAll(/[^\w-]/g, "_");
const other = "0123456789abcdef";

describe("temporary files of bundles", () => {
  it("are gone afterwards, whether the work succeeds or fails", async () => {
    const settings = bundleSettings();
    const seen = await withTemporaryFile(settings, (file) => {
      writeFileSync(file, "x");
      return Promise.resolve(file);
    });
    expect(seen.startsWith(settings.dataDir)).toBe(true);
    const failing = withTemporaryFile(settings, (file) => {
      writeFileSync(file, "x");
      return Promise.reject(new Error("made to fail"));
    });
    await expect(failing).rejects.toThrow("made to fail");
    expect(filesOf(settings)).toEqual([]);
  });

  it("lie beside the kept bundles when those are files, so that they can be renamed into place", async () => {
    const settings = bundleSettings({ BUNDLE_HANDLER: "local" });
    const file = await withTemporaryFile(settings, (name) => Promise.resolve(name));
    expect(path.dirname(path.dirname(file))).toBe(settings.bundleDir);
  });

  it("left behind by a process that was killed are removed at the next start", async () => {
    const settings = bundleSettings();
    const host = await startBundleHost((_request, response) => response.write("x".repeat(100_000)));
    const args = ["--conditions=react-server", "--import=tsx", "test/support/bundle-downloader.ts"];
    const child = spawn(process.execPath, [...args, host.url, settings.dataDir], { stdio: "inherit" });
    await expect.poll(() => filesOf(settings).length).toBe(1);
    // Another process looks around while the download is under way.
    expect(await removeLeftoverBundles(settings)).toBe(0);
    await stopProcess(child, "SIGKILL");
    expect(filesOf(settings)).toHaveLength(1);
    expect(await removeLeftoverBundles(settings)).toBe(1);
    expect(filesOf(settings)).toEqual([]);
  });

  it("of others are told apart by host, process and age", async () => {
    const settings = bundleSettings();
    const folder = path.join(settings.dataDir, "incoming-bundles");
    mkdirSync(folder);
    const old = new Date(Date.now() - 700_000);
    const make = (name: string, time = new Date()) => {
      writeFileSync(path.join(folder, name), "x");
      utimesSync(path.join(folder, name), time, time);
    };
    make(`${myHost}.${process.pid}.${other}.${other}.part`);
    make(`${myHost}.${process.ppid}.${other}.${other}.part`);
    make(`elsewhere.1.${other}.${other}.part`);
    make(`gone.1.${other}.${other}.part`, old);
    make("notes.txt", old);
    expect(await removeLeftoverBundles(settings)).toBe(2);
    const expected = [`${myHost}.${process.ppid}.${other}.${other}.part`, `elsewhere.1.${other}.${other}.part`];
    expect(readdirSync(folder).sort()).toEqual([...expected, "notes.txt"].sort());
  });

  it("of this process stay while it is at work", async () => {
    const settings = bundleSettings();
    await withTemporaryFile(settings, async (file) => {
      writeFileSync(file, "x");
      expect(await removeLeftoverBundles(settings)).toBe(0);
      expect(existsSync(file)).toBe(true);
    });
  });

  it("are no trouble where there never were any", async () =>
    expect(await removeLeftoverBundles(bundleSettings())).toBe(0));
});
