import { listSome } from "@/lib/vocabulary/format-number";
import { byCodeUnit } from "@/lib/vocabulary/order";
import { hasText, mainLanguage, messageTextFields } from "@/lib/vocabulary/terms";
import type { Spot } from "@/lib/policy/head-unit/finding";
import {
  isObject,
  map,
  memberOf,
  optional,
  passes,
  quoted,
  required,
  text,
  type Check,
} from "@/lib/policy/head-unit/values";

export const maxMessages = 255;

const rule = (row: string) => `7 consumer_friendly_messages: ${row}`;
export const blankLanguageRule = rule("a language with no text at all");
export const silentPromptRule = rule("languages of prompts");

/** Checks `consumer_friendly_messages` (section 7). Groups of the table ask drivers with the messages `prompts`. */
export function checkConsumerMessages(value: unknown, spot: Spot, prompts: ReadonlySet<string>): void {
  if (!isObject(value)) {
    spot.refuse(`the value must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "version", spot.at("version", rule("version")), text({ min: 1, max: 100 }));
  optional(value, "messages", spot.at("messages", rule("messages")), map({ min: 0, max: maxMessages }, message));
  checkSilence(value["messages"], spot.at("messages"), prompts);
}

function checkSilence(messages: unknown, spot: Spot, prompts: ReadonlySet<string>): void {
  const spoken = new Map<string, ReadonlySet<string>>();
  const named = new Map<string, readonly string[]>();
  for (const [category, message] of Object.entries(isObject(messages) ? messages : {})) {
    const languages = memberOf(message, "languages");
    const names = Object.keys(isObject(languages) ? languages : {});
    const filled = new Set(
      names.filter((language) => {
        const texts = memberOf(languages, language);
        return isObject(texts) && hasText(texts);
      }),
    );
    const blank = names.filter((language) => !filled.has(language));
    spoken.set(category, filled);
    named.set(category, names);
    if (blank.length > 0)
      spot
        .at(category)
        .at("languages", blankLanguageRule)
        .warn(`shows nothing in ${listSome(blank, maxNamed)}: the language is there without a text`);
  }
  for (const [category, languages] of listSilentPrompts(spoken, prompts)) {
    const absent = languages.filter((language) => named.get(category)?.includes(language) !== true);
    if (absent.length === 0) continue;
    const here = spot.at(category).at("languages", silentPromptRule).for("external");
    here.warn(`${describeSilence(absent)}: only other messages have a text there`);
  }
}

const maxNamed = 5;

/** The languages of `spoken` and `more` that prompts lack: `external` asks with an empty text there (section 7). */
export function listSilentPrompts(
  spoken: ReadonlyMap<string, ReadonlySet<string>>,
  prompts: ReadonlySet<string>,
  more: Iterable<string> = [],
): ReadonlyMap<string, readonly string[]> {
  const used = new Set([...more, ...[...spoken.values()].flatMap((languages) => [...languages])]);
  // English without a text is a finding of its own.
  used.delete(mainLanguage);
  const expected = [...used].sort(byCodeUnit);
  const silent = new Map<string, readonly string[]>();
  for (const [category, languages] of spoken) {
    const lacking = prompts.has(category) ? expected.filter((language) => !languages.has(language)) : [];
    if (lacking.length > 0) silent.set(category, lacking);
  }
  return silent;
}

/** What a head unit does in languages that a prompt lacks; continues a sentence about `external`. */
export function describeSilence(languages: readonly string[]): string {
  return `asks drivers in ${listSome(languages, maxNamed)} with an empty text (other build modes show the ${mainLanguage} one)`;
}

const checkMessage: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`a message must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "languages", spot.at("languages", rule("languages per message")), (languages, here) => {
    map({ min: 0, max: 600 }, language)(languages, here);
    if (!isObject(languages)) return;
    if (!Object.hasOwn(languages, mainLanguage))
      here.at(mainLanguage, rule("en-us")).refuse("the message has no en-us text");
    const count = Object.keys(languages).length;
    if (count > 500 && count <= 600) {
      here.for("regular").refuse(`there may be at most 500 languages, not ${count}`);
    }
  });
};

const isSound = passes(checkMessage);
const message: Check = (value, spot) => {
  if (!isSound(value)) checkMessage(value, spot);
};

const language: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`a language must be an object, not ${quoted(value)}`);
    return;
  }
  for (const name of messageTextFields)
    optional(value, name, spot.at(name, rule("texts")), text({ min: 1, max: 65_535 }));
};
