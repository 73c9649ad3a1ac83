import type { Spot } from "@/lib/policy/head-unit/finding";
import { isObject, map, optional, quoted, required, text, type Check } from "@/lib/policy/head-unit/values";

/** Maximum number of messages in one table. */
export const maxMessages = 255;

const rule = (row: string) => `7 consumer_friendly_messages: ${row}`;
const textMembers = ["line1", "line2", "tts", "label", "textBody"];

/** Checks `consumer_friendly_messages` (section 7). */
export function checkConsumerMessages(value: unknown, spot: Spot): void {
  if (!isObject(value)) {
    spot.refuse(`the value must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "version", spot.at("version", rule("version")), text({ min: 1, max: 100 }));
  optional(value, "messages", spot.at("messages", rule("messages")), map({ min: 0, max: maxMessages }, message));
}

const message: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`a message must be an object, not ${quoted(value)}`);
    return;
  }
  required(value, "languages", spot.at("languages", rule("languages per message")), (languages, here) => {
    map({ min: 0, max: 600 }, language)(languages, here);
    if (!isObject(languages)) return;
    if (!Object.hasOwn(languages, "en-us")) here.at("en-us", rule("en-us")).refuse("the message has no en-us text");
    const count = Object.keys(languages).length;
    if (count > 500 && count <= 600) {
      here.for("regular").refuse(`there may be at most 500 languages, not ${count}`);
    }
  });
};

const language: Check = (value, spot) => {
  if (!isObject(value)) {
    spot.refuse(`a language must be an object, not ${quoted(value)}`);
    return;
  }
  for (const name of textMembers) optional(value, name, spot.at(name, rule("texts")), text({ min: 1, max: 65_535 }));
};
