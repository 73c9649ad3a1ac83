import { expect, it } from "vitest";
import {
  findPlaceholderProblems,
  findUnknownPlaceholders,
  listPlaceholders,
} from "@/lib/records/messages/placeholders";
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

const problem = (field: string, message: string) => ({ field, message });
const missing = (field: string, name: string) =>
  problem(field, `The placeholder ${name} of the English text is missing`);
it.each<[string, Parameters<typeof problemsOf>[0], object[]]>([
  ["the same in any order", { tts: "Darf %functionalGroupLabels% von %appName%?", label: "Ort" }, []],
  ["one is missing", { tts: "Darf %appName% das?" }, [missing("tts", "%functionalGroupLabels%")]],
  [
    "all are missing",
    { tts: "Darf man das?" },
    [problem("tts", "The placeholders %appName% and %functionalGroupLabels% of the English text are missing")],
  ],
  [
    "one is misspelt: the right one is named",
    { tts: "Darf %appname% %functionalGroupLabels%?" },
    [problem("tts", "%appname% is not in the English text; it says %appName%")],
  ],
  ["one has no end", { tts: "Darf %appName %functionalGroupLabels%?" }, [missing("tts", "%appName%")]],
  [
    "one is not known to the English text at all",
    { label: "Ort von %vehicleMake%" },
    [problem("label", "%vehicleMake% is not in the English text, which has %appName%, %functionalGroupLabels%")],
  ],
  ["both lines are one sentence", { line1: "Zugriff für", line2: "%appName%?" }, []],
  ["both lines lack one", { line1: "Zugriff", line2: "geben?" }, [missing("line1", "%appName%")]],
  ["texts that are still to be written", { tts: "", line1: null }, []],
])("2.8: compares placeholders with the English text: %s", (_, texts, problems) => {
  expect(problemsOf(texts)).toEqual(problems);
});

const noTexts = { tts: null, line1: null, line2: null, textBody: null, label: null };
const englishProblems = (tts: string, stored = "") =>
  findUnknownPlaceholders({ ...noTexts, tts }, { ...noTexts, tts: stored }).map(({ message }) => message);
const as = (name: string, advice: string) => [`Head units show ${name} as it is. ${advice}`];
const others = "They replace %appName%, %functionalGroupLabels%, %vehicleMake%";

it.each<[string, string, string[]]>([
  ["known ones", "%appName% of %vehicleMake%, %functionalGroupLabels%: 50 %", []],
  ["a misspelt one", "Hello %appNme%", as("%appNme%", "Use %appName%")],
  ["another case", "Hello %APP_NAME%", as("%APP_NAME%", "Use %appName%")],
  ["one that lacks its end", "Hello %appName, hello", as("%appName", "Use %appName%")],
  ["one that lacks its beginning", "Hello appName%!", as("appName%", "Use %appName%")],
  ["one that nobody knows", "Hello %user%", as("%user%", others)],
])("U12: compares the English text with what head units replace: %s", (_, text, problems) => {
  expect(englishProblems(text)).toEqual(problems);
});

it("U12: keeps a maker's own placeholder of the stored English text, but no misspelt one", () =>
  expect(englishProblems("%oemBrand% and %appNme%", "%oemBrand% %appNme%")).toEqual(as("%appNme%", "Use %appName%")));
