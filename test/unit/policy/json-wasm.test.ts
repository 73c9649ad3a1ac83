import { expect, it } from "vitest";
import { compileWasm, wasmFile } from "@/scripts/wasm.mjs";

it("the pass over requests is compiled from its source (ADR 87)", () =>
  expect(compileWasm()).toMatchFileSnapshot(`../../../${wasmFile}`));
