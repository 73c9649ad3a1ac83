/** Compiles the AssemblyScript of the pass over vehicles' requests, whose bytes are kept in a source that every bundler reads. */
import asc from "assemblyscript/asc";

export const wasmFile = "lib/policy/answer/json-wasm.ts";

/** @returns {Promise<string>} the content of `wasmFile` */
export async function compileWasm() {
  // The memory holds a body of 1 MiB.
  const memory = ["--initialMemory", "17", "--maximumMemory", "17", "--runtime", "stub", "--enable", "simd"];
  const source = "lib/policy/answer/wasm/json.ts";
  let binary = new Uint8Array();
  const { error } = await asc.main([source, "-O3", "--noAssert", ...memory, "--outFile", "wasm"], {
    writeFile: (_, content) => {
      binary = Buffer.from(content);
    },
  });
  if (error) throw new Error(`${source} does not compile`, { cause: error });
  const lines =
    Buffer.from(binary)
      .toString("base64")
      .match(/.{1,110}/g) ?? [];
  return `// Compiled from ${source} by the build.\nexport const jsonWasm =\n${lines.map((line) => `  "${line}"`).join(" +\n")};\n`;
}
