import { expect, it } from "vitest";
import { findPlaceholderProblems, listPlaceholders } from "@/lib/content/messages/placeholders";
import { aMessageLanguage } from "@/test/support/builders";

const english = aMessageLanguage({
  tts: "May %appName% use %functionalGroupLabels%?",
  line1: "Grant %appName%",
  line2: "its access?",
  label: "Position",
});
const problemsOf = (texts: Parameters<typeof aMessageLanguage>[0]) =>
  findPlaceholderProblems(aMessageLanguage({ languageId: "de-de", ...texts }), english);

it("lists each placeholder once, and no per cent signs", () => {
  expect(listPlaceholders("%a% 5 % of %a%, 10 %, %b_1%")).toEqual(["%a%", "%b_1%"]);
  expect(listPlaceholders(null)).toEqual([]);
});

it("2.8: is content with the same placeholders, in any order", () => {
  expect(problemsOf({ tts: "Darf %functionalGroupLabels% von %appName%?", label: "Ort" })).toEqual([]);
});

it("2.8: names a placeholder that the translation lacks", () => {
  expect(problemsOf({ tts: "Darf %appName% das?" })).toEqual([
    { field: "tts", message: "The placeholder %functionalGroupLabels% of the English text is missing" },
  ]);
  expect(problemsOf({ tts: "Darf man das?" })).toEqual([
    { field: "tts", message: "The placeholders %appName% and %functionalGroupLabels% of the English text are missing" },
  ]);
});

it("2.8: names the placeholder that a misspelt one should be", () => {
  expect(problemsOf({ tts: "Darf %appname% %functionalGroupLabels%?" })).toEqual([
    { field: "tts", message: "%appname% is not in the English text; it says %appName%" },
  ]);
  expect(problemsOf({ tts: "Darf %appName %functionalGroupLabels%?" })).toEqual([
    { field: "tts", message: "The placeholder %appName% of the English text is missing" },
  ]);
});

it("2.8: does not let in a placeholder that the English text does not know at all", () => {
  expect(problemsOf({ label: "Ort von %vehicleMake%" })).toEqual([
    {
      field: "label",
      message: "%vehicleMake% is not in the English text, which has %appName%, %functionalGroupLabels%",
    },
  ]);
});

it("takes both lines as one sentence, which a translation may break elsewhere", () => {
  expect(problemsOf({ line1: "Zugriff für", line2: "%appName%?" })).toEqual([]);
  expect(problemsOf({ line1: "Zugriff", line2: "geben?" })).toEqual([
    { field: "line1", message: "The placeholder %appName% of the English text is missing" },
  ]);
});

it("does not compare texts that are still to be written", () => {
  expect(problemsOf({ tts: "", line1: null })).toEqual([]);
});
