#!/usr/bin/env node
/** `open-policy`: the command line, from an installation or a checkout, which it bundles when it was not built. */
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

process.env.NODE_ENV ||= "production";
// Its results go to the standard output, as lines of the log do.
process.env.LOG_LEVEL ||= "error";
const fileOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

if (existsSync(fileOf("scripts/bundle.mjs"))) {
  const { isBuildOfSources } = await import("../scripts/stamp.mjs");
  if (!isBuildOfSources(fileOf("dist/stamp"), fileOf("."))) {
    const { bundleCommandLine } = await import("../scripts/bundle.mjs");
    await bundleCommandLine(fileOf("."));
  }
}
const { runPolicy } = await import(pathToFileURL(fileOf("dist/policy.js")).href);
process.exitCode = await runPolicy(process.argv.slice(2), process.env);
