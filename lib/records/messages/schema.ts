import { z } from "zod";
import { queryBoolean, queryEnvironment, queryInteger, taking } from "@/lib/platform/zod/query";
import { apiTextFields } from "@/lib/records/messages/rules";
import { recordOf, snakeName, toSnakeMembers } from "@/lib/vocabulary/members";
import { byteLength } from "@/lib/vocabulary/byte-length";
import { whyNotWhole } from "@/lib/vocabulary/whole-text";
import { wholeText } from "@/lib/platform/zod/refusing";
import { baseIdMember, checkName, pagingParameters, trimName } from "@/lib/records/store/query";

export const listMessagesQuery = z.object({
  environment: queryEnvironment("production"),
  hide_deleted: queryBoolean(),
  id: queryInteger(),
  template: queryBoolean(),
  ...pagingParameters,
});

const messageSentence = "A message needs message_category and is_deleted";
const languageSentence = "A language needs language_id and selected";
const englishSentence = "A selected en-us text is required";
export const greatestCategoryBytes = 255;
export const greatestTextBytes = 65_535;
/** The limit of head units in build modes PROPRIETARY and HTTP. */
const maxLanguages = 500;

const category = z
  .string(messageSentence)
  .min(1, messageSentence)
  .refine(
    (text) => byteLength(text) <= greatestCategoryBytes,
    `${messageSentence}: message_category is longer than 255 bytes`,
  )
  .superRefine(wholeText(`${messageSentence}: message_category`));

const languageHead = {
  language_id: z.string(languageSentence).transform((id) => id.toLowerCase()),
  selected: z.boolean(languageSentence),
};

const members = <Language extends z.ZodType>(language: Language) => ({
  message_category: category,
  is_deleted: z.boolean(messageSentence),
  languages: z.array(language, `${messageSentence}: languages must be a list`),
});
const looseMessage = <Language extends z.ZodType>(language: Language) =>
  z.looseObject(members(language), messageSentence);

const language = z.looseObject(languageHead, languageSentence);
type Language = z.output<typeof language>;

const anyText = taking(z.unknown().optional(), z.string().nullish());
const fullLanguage = z
  .object({ ...languageHead, ...toSnakeMembers(recordOf(apiTextFields, () => anyText)) })
  .transform((given, context) => {
    const texts = recordOf(apiTextFields, (field) => {
      const name = snakeName(field);
      const problem = findTextProblem(given[name]);
      if (problem !== null) context.addIssue(`Language ${given.language_id}: ${name} ${problem}`);
      return typeof given[name] === "string" && given[name] !== "" ? given[name] : null;
    });
    return { language_id: given.language_id, selected: given.selected, ...toSnakeMembers(texts) };
  });

function findTextProblem(text: unknown): string | null {
  if (text === undefined || text === null) return null;
  if (typeof text !== "string") return "must be a text or null";
  return whyNotWhole(text) ?? (byteLength(text) > greatestTextBytes ? "is longer than 65,535 bytes" : null);
}

const fullMessage = z
  .object({ ...members(fullLanguage), base_id: baseIdMember })
  .overwrite(trimName("message_category"))
  .superRefine(checkName("message_category"));

interface Languages {
  readonly languages: readonly Language[];
}

const hasEnglish = ({ languages }: Languages) =>
  languages.some(({ language_id, selected }) => selected && language_id === "en-us");

function findWrongLanguage({ languages }: Languages): string | null {
  const seen = new Set<string>();
  for (const { language_id, selected } of languages) {
    if (!selected) continue;
    if (!/^[a-z]{2}-[a-z]{2}$/.test(language_id)) return `Unknown language: ${language_id}`;
    if (seen.has(language_id)) return `Language ${language_id} is listed twice`;
    seen.add(language_id);
  }
  return seen.size > maxLanguages ? `A message must not have more than ${maxLanguages} languages` : null;
}

function refuseFirst(findProblem: (message: Languages) => string | null) {
  return ({ messages }: { readonly messages: readonly Languages[] }, context: z.RefinementCtx) => {
    for (const [index, message] of messages.entries()) {
      const problem = findProblem(message);
      if (problem === null) continue;
      context.addIssue({ code: "custom", message: problem, path: ["messages", index], continue: false });
      return;
    }
  };
}

/** Each step checks one row of the table of errors in `api.md` 12.3, so that earlier rows win. */
export const saveMessagesBody = z
  .object({ messages: z.array(z.unknown(), "messages must be a list") })
  .pipe(z.object({ messages: z.array(looseMessage(z.unknown())) }))
  .pipe(z.object({ messages: z.array(looseMessage(language)) }))
  .superRefine(refuseFirst((message) => (hasEnglish(message) ? null : englishSentence)))
  .superRefine(refuseFirst(findWrongLanguage))
  .pipe(z.object({ messages: z.array(fullMessage) }));
export type SaveMessagesBody = z.output<typeof saveMessagesBody>;
export type SaveMessageBody = SaveMessagesBody["messages"][number];
