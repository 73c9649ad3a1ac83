import fc from "fast-check";
import { expect, it } from "vitest";
import { buildCsvLine } from "@/lib/platform/http/csv";
import { parseCsv } from "@/test/support/csv";

it("quotes what would break the table", () =>
  expect(buildCsvLine(["a,b", 'say "hi"', "two\nlines", "plain", 7, -1.5, true, null])).toBe(
    '"a,b","say ""hi""","two\nlines",plain,7,-1.5,true,\r\n',
  ));

it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u00A0=1", "\u0000=1", "＝1", "\tx"])(
  "makes text of %j, which a spreadsheet would run",
  (text) => expect(parseCsv(buildCsvLine([text]))).toEqual([[`'${text}`]]),
);

it.each([
  ["a;=1+1", "a;'=1+1"],
  ["a\t+1", "a\t'+1"],
  ["\t=1", "'\t'=1"],
  ["x\n \n=1", "x\n \n'=1"],
  ["a; \t@SUM(A1)", "a; \t'@SUM(A1)"],
  ["two\n=1", "two\n'=1"],
  ["x;y", "x;y"],
])("finding B11: %j begins no formula behind a semicolon, a tab or a line break either", (text, defused) => {
  const line = buildCsvLine([text]);
  expect(line.startsWith('"')).toBe(true);
  expect(parseCsv(line)).toEqual([[defused]]);
});

it("leaves numbers below zero numbers", () => expect(buildCsvLine([-1])).toBe("-1\r\n"));

it("can be read back, whatever the texts hold", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("ab\"';,=+-@\r\n\t ä")) });
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (table) => {
      const read = parseCsv(table.map((line) => buildCsvLine(line)).join(""));
      expect(read.map((line) => line.length)).toEqual(table.map((line) => line.length));
      for (const [y, line] of table.entries())
        for (const [x, cell] of line.entries())
          expect(read[y]?.[x]?.replaceAll("'", "")).toBe(cell.replaceAll("'", ""));
    }),
  );
});
