import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const wasmFile = "lib/policy/answer/json-wasm.ts";

/**
 * Compiles the AssemblyScript of the pass over vehicles' requests to a source that every bundler reads (ADR 87). In a process of its
 * own, because the compiler's types change those of all programs.
 *
 * @returns {string} the content of `wasmFile`
 */
export function compileWasm() {
  const source = "lib/policy/answer/wasm/json.ts";
  const folder = mkdtempSync(path.join(tmpdir(), "policy-server-wasm-"));
  try {
    const made = path.join(folder, "json.wasm");
    // The memory holds a body of 1 MiB.
    const memory = ["--initialMemory", "17", "--maximumMemory", "17", "--runtime", "stub", "--enable", "simd"];
    const options = [source, "-O3", "--noAssert", ...memory, "--outFile", made];
    execFileSync(process.execPath, ["node_modules/assemblyscript/bin/asc.js", ...options], { stdio: "inherit" });
    const lines =
      readFileSync(made)
        .toString("base64")
        .match(/.{1,110}/g) ?? [];
    const texts = lines.map((line) => `  "${line}"`).join(" +\n");
    return `// Compiled from ${source} by its test, with -u.\nexport const jsonWasm =\n${texts};\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
