import { expect, it } from "vitest";
import { applyMutation, listMutations, sample } from "@/bench/mutations";

const changes = (text: string) => listMutations("a.ts", text).map(({ from, to }) => `${from} → ${to}`);

it("changes comparisons, connectives, conditions, numbers, booleans and calls", () => {
  expect(changes("const a = b < 1 && !c;")).toEqual(["&& → ||", "< → <=", "1 → 2", "!c → c"]);
  expect(changes("if (isOver) stop();")).toEqual(["isOver → !(isOver)", "stop(); → ;"]);
  expect(changes("const d = list.some((e) => e === true) ? f : g;")).toEqual([
    "list.some((e) => e === true) → !(list.some((e) => e === true))",
    "some → every",
    "=== → !==",
    "true → false",
  ]);
  expect(changes("await tx.record(entry);")).toEqual(["await tx.record(entry); → ;"]);
});

it("leaves types, imports, names and what is logged", () => {
  const text = 'import { a } from "b"; type C = 1 | true; const d = { 1: e }; log.info({ f: 1 }, "g");';
  expect(changes(text)).toEqual([]);
});

it("makes the source with one change in it, and says where", () => {
  const text = "const a = 1;\nconst b = a > 2;\n";
  const [, mutation] = listMutations("a.ts", text);
  expect(mutation).toMatchObject({ file: "a.ts", line: 2, from: ">" });
  expect(mutation && applyMutation(text, mutation)).toBe("const a = 1;\nconst b = a >= 2;\n");
});

it("chooses the same by the same seed, each once", () => {
  const list = Array.from({ length: 50 }, (_, at) => at);
  expect(sample(list, 10, 3)).toEqual(sample(list, 10, 3));
  expect(sample(list, 10, 3)).not.toEqual(sample(list, 10, 4));
  expect(sample(list, 60, 3).toSorted((a, b) => a - b)).toEqual(list);
});
